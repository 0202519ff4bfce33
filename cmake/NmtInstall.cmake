# cmake --install: the programs, a shared library with its public headers, and a CMake package, so that
# another program can find_package(nmt). Only what NMT_PUBLIC marks is exported. The components are
# Debian packages (NmtPackages.cmake).
if(NOT DEFINED CMAKE_INSTALL_LIBDIR AND CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /etc/debian_version)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE})  # also where the prefix is not yet /usr
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(nmt_shared SHARED $<TARGET_OBJECTS:nmt_translate> $<TARGET_OBJECTS:nmt_markup>
  $<TARGET_OBJECTS:nmt_c_interface>)
target_link_libraries(nmt_shared PRIVATE
  nmt_options nmt_plain_engine_on_demand nmt_base nmt_markup_parsers nlohmann_json::nlohmann_json
  Threads::Threads)
target_link_options(nmt_shared PRIVATE -Wl,--no-undefined)  # or a missing object shows only when it is loaded
target_include_directories(nmt_shared INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(nmt_shared INTERFACE cxx_std_17)
# A minor version may change the structures of the public headers.
set(abi_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(nmt_shared PROPERTIES
  OUTPUT_NAME nmt EXPORT_NAME nmt VERSION ${PROJECT_VERSION} SOVERSION ${abi_version})

# Each finds the others from where it lies itself, so the tree may be moved. libnmt has a
# SentencePiece library of its own: it is installed without the program too.
set(libexec_dir libexec/nmt)
set(private_lib_dir ${CMAKE_INSTALL_LIBDIR}/nmt)
file(RELATIVE_PATH from_bin /bin /${libexec_dir})
file(RELATIVE_PATH from_lib /${CMAKE_INSTALL_LIBDIR} /${libexec_dir})
set_target_properties(nmt PROPERTIES INSTALL_RPATH "$ORIGIN/${from_bin}")
# CMake leaves folders of the project out of the link path, also LibTorch in a virtual environment there.
set(project_torch_dir "")
if(TORCH_INSTALL_PREFIX)
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${TORCH_INSTALL_PREFIX}" NORMALIZE torch_in_project)
  if(torch_in_project)
    set(project_torch_dir ${TORCH_INSTALL_PREFIX}/lib)
  endif()
endif()
set_target_properties(nmt_torch_program nmt_plain_engine_library PROPERTIES
  INSTALL_RPATH "$ORIGIN;${NMT_OPENBLAS_DIR};${project_torch_dir}")
set_target_properties(nmt_shared PROPERTIES INSTALL_RPATH "$ORIGIN/nmt;$ORIGIN/${from_lib}")
# CMake appends a colon to a RUNPATH that installation will rewrite: libraries would also be looked for in
# the current folder, whoever owns it. So the build tree gets the final RUNPATHs. The link path adds the folders
# of libraries outside the system's, such as another LibTorch.
set_target_properties(nmt nmt_torch_program nmt_plain_engine_library nmt_sentencepiece nmt_shared PROPERTIES
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
file(CREATE_LINK libexec/nmt ${PROJECT_BINARY_DIR}/nmt SYMBOLIC)  # beside libnmt.so, as installed

set(installed_files $<TARGET_FILE:nmt> $<TARGET_FILE:nmt_sentencepiece> $<TARGET_FILE:nmt_shared>)
if(NOT NMT_LIGHT)
  add_dependencies(nmt_shared nmt_plain_engine_library)
  list(APPEND installed_files $<TARGET_FILE:nmt_torch_program> $<TARGET_FILE:nmt_plain_engine_library>
    ${NMT_MANUAL}/done)
endif()
# Everything has to be built before the first file is copied.
list(JOIN installed_files "\" \"" installed_files)
install(CODE "
  foreach(file \"${installed_files}\")
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"\${file}: not built; run cmake --build on this folder first\")
    endif()
  endforeach()
" ALL_COMPONENTS)

install(TARGETS nmt RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS nmt_sentencepiece LIBRARY DESTINATION ${libexec_dir} COMPONENT program)
file(GLOB sample_model ${PROJECT_SOURCE_DIR}/models/sample/*)
install(FILES ${sample_model} DESTINATION share/nmt/models/sample COMPONENT program)
install(FILES packaging/nmt.service DESTINATION lib/systemd/system COMPONENT program)
# It names the program and the model by their paths.
install(CODE "
  set(unit \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system/nmt.service\")
  file(READ \"\${unit}\" text)
  get_filename_component(prefix \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
  string(REPLACE /usr/ \"\${prefix}/\" text \"\${text}\")
  file(WRITE \"\${unit}\" \"\${text}\")
" COMPONENT program)
if(NMT_MANUAL)
  install(DIRECTORY ${NMT_MANUAL}/man/ DESTINATION share/man/man1 COMPONENT program)
  set(completion ${NMT_MANUAL}/completion)
  install(FILES ${completion}/nmt DESTINATION share/bash-completion/completions COMPONENT program)
  install(FILES ${completion}/_nmt DESTINATION share/zsh/vendor-completions COMPONENT program)
  install(FILES ${completion}/nmt.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)
endif()

if(NOT NMT_LIGHT)
  install(TARGETS nmt_torch_program RUNTIME DESTINATION ${libexec_dir} COMPONENT torch)
  install(TARGETS nmt_plain_engine_library LIBRARY DESTINATION ${libexec_dir} COMPONENT torch)
endif()

install(TARGETS nmt_shared EXPORT nmtTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS nmt_sentencepiece LIBRARY DESTINATION ${private_lib_dir} COMPONENT library)

# They include the standard library alone, so their place does not matter.
install(FILES src/translate/translator.h src/markup/translate_document.h src/errors/error.h
  src/c_interface/nmt.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nmt COMPONENT development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nmt)
install(EXPORT nmtTargets NAMESPACE nmt:: DESTINATION ${package_dir} FILE nmtConfig.cmake
  COMPONENT development)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nmtConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nmtConfigVersion.cmake DESTINATION ${package_dir}
  COMPONENT development)
# For other build systems. Its paths start where it lies, so the tree may be moved.
file(RELATIVE_PATH from_pkgconfig /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
file(CONFIGURE OUTPUT nmt.pc @ONLY CONTENT [=[
prefix=${pcfiledir}/@from_pkgconfig@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: nmt
Description: Neural machine translation
Version: @PROJECT_VERSION@
Libs: -L${libdir} -lnmt
Cflags: -I${includedir}
]=])
install(FILES ${PROJECT_BINARY_DIR}/nmt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

install(DIRECTORY python/nmt DESTINATION lib/python3/dist-packages COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
