# Two ways to make a target, so that warnings, sanitizers and include paths are said once.

add_library(nmt_options INTERFACE)
target_compile_features(nmt_options INTERFACE cxx_std_17)
target_include_directories(nmt_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(nmt_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${NMT_WARNINGS_AS_ERRORS}>:-Werror>)
# GCC collects garbage from 128 MB on; from 512 MB on it compiles our units in a tenth less time.
target_compile_options(nmt_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
if(NMT_SANITIZE)
  target_compile_options(nmt_options INTERFACE -fsanitize=${NMT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(nmt_options INTERFACE -fsanitize=${NMT_SANITIZE})
endif()

# How much a target is optimized, in a build that optimizes at all: 3 for arithmetic; 1 for what is
# not run in loops, for which -O2 only compiles longer.
function(nmt_optimize target level)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_FLAGS_RELEASE MATCHES "-O2")
    target_compile_options(${target} PRIVATE -O${level})
  endif()
endfunction()

# nmt_precompiled(TARGET SET LEVEL HEADERS...): the target takes these headers precompiled; the first
# target to ask compiles them for all. GCC 12 crashes on sets of another level than the target's: all
# users have one.
function(nmt_precompiled target set level)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)  # CMake would compile it with -fPIE, and then not take the headers
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_compile_options(${target} PRIVATE ${torch_flags})  # or GCC would not take them either
  nmt_optimize(${target} ${level})
  get_property(first GLOBAL PROPERTY nmt_first_with_${set}_headers)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY nmt_first_with_${set}_headers ${target})
  endif()
endfunction()

# LibTorch's headers cost ten seconds a file.
function(nmt_precompiled_torch target)
  nmt_precompiled(${target} torch 1
    <ATen/ATen.h> <torch/types.h> <torch/nn/module.h> <torch/nn/pimpl.h>
    <functional> <map> <memory> <optional> <string> <vector>)
endfunction()

# nmt_module(NAME [TORCH] [OPTIMIZE LEVEL] SOURCES ... DEPENDS ... [PRIVATE_DEPENDS ...]): one folder
# of src as one library. TORCH: its sources include LibTorch.
function(nmt_module name)
  cmake_parse_arguments(ARG "TORCH" "OPTIMIZE" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(nmt_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(nmt_${name} PUBLIC ${ARG_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:nmt_options> ${ARG_PRIVATE_DEPENDS})
  target_include_directories(nmt_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(nmt_${name} PUBLIC cxx_std_17)
  if(ARG_TORCH)
    nmt_precompiled_torch(nmt_${name})
    set_target_properties(nmt_${name} PROPERTIES EXCLUDE_FROM_ALL ${NMT_LIGHT})
  elseif(ARG_OPTIMIZE)
    nmt_optimize(nmt_${name} ${ARG_OPTIMIZE})
  endif()
endfunction()

# nmt_embed(SOURCE FILES...): SOURCE carries these files of its folder (pages/embedded_file.h). Beside
# other sources in one unit its assembler text would depend on what it is compiled with.
function(nmt_embed source)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_source_files_properties(${source} PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_DEFINITIONS NMT_ASSET_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
    OBJECT_DEPENDS "${ARGN}")
endfunction()

# nmt_test(FOLDER [TORCH] [ONLY TESTS] SOURCES ... DEPENDS ...): one test program for one folder of src.
# ONLY: the test cases that the test FOLDER runs, where others have a test of their own.
function(nmt_test name)
  cmake_parse_arguments(ARG "TORCH" "ONLY" "SOURCES;DEPENDS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE nmt_options ${ARG_DEPENDS} nmt_test_main)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE
    NMT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" NMT_PROGRAM="$<TARGET_FILE:nmt>")
  if(ARG_TORCH)
    nmt_precompiled_torch(test_${name})
  else()
    nmt_precompiled(test_${name} test 1
      <${PROJECT_SOURCE_DIR}/tests/support/catch.h> <filesystem> <functional> <string> <vector>)
  endif()
  add_test(NAME ${name} COMMAND test_${name} ${ARG_ONLY})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 4)
endfunction()
