# cpack: a Debian package of each component. `nmt` translates without LibTorch, which draws in hundreds of
# megabytes; `nmt-torch` adds training and everything else that needs it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nmt)
set(NMT_MAINTAINER "nmt authors <maintainers@nmt.invalid>" CACHE STRING
  "Name and address in the packages; the default is nobody's")
set(CPACK_PACKAGE_CONTACT ${NMT_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # tests need not be built

# nmt_package(COMPONENT NAME SECTION SUMMARY DESCRIPTION [DEPENDS])
macro(nmt_package component name section summary description)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGN}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}")
  install(FILES packaging/copyright DESTINATION share/doc/${name} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION share/doc/${name}
    COMPONENT ${component})
  if(EXISTS ${PROJECT_SOURCE_DIR}/packaging/lintian/${name})
    install(FILES packaging/lintian/${name} DESTINATION share/lintian/overrides
      COMPONENT ${component})
  endif()
endmacro()

string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(packaging/changelog.in changelog)
execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog)

set(CPACK_COMPONENTS_ALL)
nmt_package(program nmt science "Neural machine translation"
  "Translates text and documents on a CPU, serves translations over HTTP,
evaluates and compares translators. Contains a small Korean-English model.
Training needs the package nmt-torch.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS nmt-torch)
if(NOT NMT_LIGHT)
  nmt_package(torch nmt-torch science "Neural machine translation: training"
    "Trains, adapts, converts and packs the models of nmt, and translates on a GPU."
    "nmt (= ${PROJECT_VERSION}), libopenblas0-openmp")
endif()
nmt_package(library libnmt${abi_version} libs "Neural machine translation: shared library"
  "Translates with models of nmt from C, C++ and Python.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS nmt-torch)
file(WRITE ${PROJECT_BINARY_DIR}/control/shlibs
  "libnmt ${abi_version} libnmt${abi_version} (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/control/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  "${PROJECT_BINARY_DIR}/control/shlibs;${PROJECT_BINARY_DIR}/control/triggers")
nmt_package(development libnmt-dev libdevel "Neural machine translation: development files"
  "Headers of libnmt for C and C++, and a CMake package."
  "libnmt${abi_version} (= ${PROJECT_VERSION})")
nmt_package(python python3-nmt python "Neural machine translation: Python module"
  "Translates with models of nmt from Python, and runs nmt to train and
evaluate them."
  "python3, python3-numpy, libnmt${abi_version} (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS nmt)
include(CPack)
