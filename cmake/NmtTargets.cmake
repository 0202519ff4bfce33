# Two ways to make a target, so that warnings, sanitizers and include paths are said once.

add_library(nmt_options INTERFACE)
target_compile_features(nmt_options INTERFACE cxx_std_17)
target_include_directories(nmt_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(nmt_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${NMT_WARNINGS_AS_ERRORS}>:-Werror>)
if(NMT_SANITIZE)
  target_compile_options(nmt_options INTERFACE -fsanitize=${NMT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(nmt_options INTERFACE -fsanitize=${NMT_SANITIZE})
endif()

# nmt_module(NAME SOURCES ... DEPENDS ... [PRIVATE_DEPENDS ...]): one folder of src as one library.
function(nmt_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(nmt_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(nmt_${name} PUBLIC ${ARG_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:nmt_options> ${ARG_PRIVATE_DEPENDS})
  target_include_directories(nmt_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(nmt_${name} PUBLIC cxx_std_17)
endfunction()

# nmt_test(FOLDER SOURCES ... DEPENDS ...): one test program for one folder of src.
function(nmt_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE nmt_options ${ARG_DEPENDS} Catch2::Catch2WithMain)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE
    NMT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" NMT_PROGRAM="$<TARGET_FILE:nmt>")
  add_test(NAME ${name} COMMAND test_${name})
endfunction()
