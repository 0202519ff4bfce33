# cmake --install: the programs, a shared library with its public headers, and a CMake package, so that
# another program can find_package(nmt). Only what NMT_PUBLIC marks is exported; LibTorch stays inside.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(nmt_shared SHARED $<TARGET_OBJECTS:nmt_translate> $<TARGET_OBJECTS:nmt_markup>
  $<TARGET_OBJECTS:nmt_c_interface>)
target_link_libraries(nmt_shared PRIVATE
  nmt_options nmt_plain_engine nmt_base nmt_markup_parsers nlohmann_json::nlohmann_json
  Threads::Threads)
target_include_directories(nmt_shared INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(nmt_shared INTERFACE cxx_std_17)
set_target_properties(nmt_shared PROPERTIES
  OUTPUT_NAME nmt EXPORT_NAME nmt VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# Each finds the others from where it lies itself, so the tree may be moved.
set(libexec_dir libexec/nmt)
file(RELATIVE_PATH from_bin /bin /${libexec_dir})
file(RELATIVE_PATH from_lib /${CMAKE_INSTALL_LIBDIR} /${libexec_dir})
set_target_properties(nmt PROPERTIES INSTALL_RPATH "$ORIGIN/${from_bin}")
set_target_properties(nmt_torch_program PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(nmt_shared PROPERTIES INSTALL_RPATH "$ORIGIN/${from_lib}")

# Everything has to be built before the first file is copied.
install(CODE [[
  foreach(file $<TARGET_FILE:nmt> $<TARGET_FILE:nmt_torch_program> $<TARGET_FILE:nmt_sentencepiece>
      $<TARGET_FILE:nmt_shared>)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "${file}: not built; run cmake --build on this folder first")
    endif()
  endforeach()
]])
install(TARGETS nmt RUNTIME DESTINATION bin)
install(TARGETS nmt_torch_program RUNTIME DESTINATION ${libexec_dir})
install(TARGETS nmt_sentencepiece LIBRARY DESTINATION ${libexec_dir})
install(TARGETS nmt_shared EXPORT nmtTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# They include the standard library alone, so their place does not matter.
install(FILES src/translate/translator.h src/markup/translate_document.h src/errors/error.h
  src/c_interface/nmt.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nmt)
install(DIRECTORY python/nmt DESTINATION lib/python3/dist-packages FILES_MATCHING
  PATTERN "*.py" PATTERN "py.typed")
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nmt)
install(EXPORT nmtTargets NAMESPACE nmt:: DESTINATION ${package_dir} FILE nmtConfig.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nmtConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nmtConfigVersion.cmake DESTINATION ${package_dir})
