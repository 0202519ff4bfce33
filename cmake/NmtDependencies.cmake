# Everything we stand on, as Debian packages it (Debian 12 and 13) or as its own project builds it.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)

# yaml-cpp's target has a namespace from 0.8 on.
add_library(nmt_yaml INTERFACE)
if(TARGET yaml-cpp::yaml-cpp)
  target_link_libraries(nmt_yaml INTERFACE yaml-cpp::yaml-cpp)
else()
  target_link_libraries(nmt_yaml INTERFACE yaml-cpp)
endif()

# utf8proc (Debian: libutf8proc-dev) has no CMake package there.
find_path(UTF8PROC_INCLUDE_DIR utf8proc.h REQUIRED)
find_library(UTF8PROC_LIBRARY utf8proc REQUIRED)
add_library(nmt_utf8proc INTERFACE)
target_link_libraries(nmt_utf8proc INTERFACE ${UTF8PROC_LIBRARY})
target_include_directories(nmt_utf8proc SYSTEM INTERFACE ${UTF8PROC_INCLUDE_DIR})

find_package(spdlog REQUIRED)

# Parsers of markup. md4c has a CMake package only in some builds, Gumbo none.
find_package(EXPAT REQUIRED)
find_path(GUMBO_INCLUDE_DIR gumbo.h REQUIRED)
find_library(GUMBO_LIBRARY gumbo REQUIRED)
find_path(MD4C_INCLUDE_DIR md4c.h REQUIRED)
find_library(MD4C_LIBRARY md4c REQUIRED)
add_library(nmt_markup_parsers INTERFACE)
target_link_libraries(nmt_markup_parsers INTERFACE
  EXPAT::EXPAT ${GUMBO_LIBRARY} ${MD4C_LIBRARY})
target_include_directories(nmt_markup_parsers SYSTEM INTERFACE
  ${GUMBO_INCLUDE_DIR} ${MD4C_INCLUDE_DIR})

# ZIP archives. libzip's own CMake package asks for its command-line tools.
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(LIBZIP_LIBRARY zip REQUIRED)
add_library(nmt_libzip INTERFACE)
target_link_libraries(nmt_libzip INTERFACE ${LIBZIP_LIBRARY})
target_include_directories(nmt_libzip SYSTEM INTERFACE ${LIBZIP_INCLUDE_DIR})

# Boost.Beast and Boost.Asio: headers only.
find_package(Boost 1.74 REQUIRED CONFIG)
add_library(nmt_boost INTERFACE)
target_link_libraries(nmt_boost INTERFACE Boost::headers Threads::Threads)

# What the fuzzers feed needs no more, and clang has no OpenMP in Debian's package.
if(NMT_FUZZ)
  return()
endif()

if(NOT NMT_LIGHT)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # LibTorch's: it and our kernels share streams
  find_package(Torch REQUIRED)
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(CLI11 REQUIRED)
if(NMT_BUILD_TESTS)
  find_package(Catch2 REQUIRED)
endif()
if(NMT_BUILD_TESTS AND NOT NMT_LIGHT)
  # cpp-httplib as Debian builds it: a library whose types depend on how it was built.
  find_path(HTTPLIB_INCLUDE_DIR httplib.h REQUIRED)
  find_library(HTTPLIB_LIBRARY cpp-httplib REQUIRED)
  add_library(nmt_httplib INTERFACE)
  target_link_libraries(nmt_httplib INTERFACE ${HTTPLIB_LIBRARY})
  target_include_directories(nmt_httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR})
  target_compile_definitions(nmt_httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT)
endif()

# CLD2 detects languages (Debian: libcld2-dev); it has no CMake package.
find_path(CLD2_INCLUDE_DIR cld2/public/compact_lang_det.h REQUIRED)
find_library(CLD2_LIBRARY cld2 REQUIRED)
add_library(nmt_cld2 INTERFACE)
target_link_libraries(nmt_cld2 INTERFACE ${CLD2_LIBRARY})
target_include_directories(nmt_cld2 SYSTEM INTERFACE ${CLD2_INCLUDE_DIR})

# LibTorch's own target brings compiler flags with it; ours must compile with and without them.
add_library(nmt_torch INTERFACE)
target_link_libraries(nmt_torch INTERFACE ${TORCH_LIBRARIES})
set(debian_torch OFF)
if(TORCH_INSTALL_PREFIX MATCHES "^/(usr)?$")
  set(debian_torch ON)
endif()
# Among PyTorch's headers is another version of fmt than spdlog's, which has to be found first. Its libraries
# export parts of an older libstdc++, with which std::filesystem::remove_all() crashes; so the system's has to
# be loaded first.
if(NOT debian_torch AND NOT NMT_LIGHT)
  find_path(FMT_INCLUDE_DIR fmt/format.h REQUIRED)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/fmt_headers)
  file(CREATE_LINK ${FMT_INCLUDE_DIR}/fmt ${PROJECT_BINARY_DIR}/fmt_headers/fmt SYMBOLIC)
  target_include_directories(nmt_torch SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/fmt_headers)
  add_link_options(-Wl,--push-state,--no-as-needed,-lstdc++,--pop-state)
endif()
target_include_directories(nmt_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
if(TORCH_CXX_FLAGS)
  separate_arguments(torch_flags NATIVE_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(nmt_torch INTERFACE ${torch_flags})
endif()

# Debian's LibTorch uses the BLAS that the system chose (update-alternatives). OpenBLAS's pthread build
# oversubscribes the cores together with LibTorch's OpenMP; its OpenMP build does not. So programs
# list that one themselves: it is loaded before LibTorch, which then finds these names taken. PyTorch's
# LibTorch contains a BLAS, MKL, and has to keep it.
set(NMT_OPENBLAS_DIR /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp)
if(EXISTS ${NMT_OPENBLAS_DIR}/libopenblas.so.0 AND debian_torch)
  string(CONCAT openblas "-Wl,--push-state,--no-as-needed,${NMT_OPENBLAS_DIR}/libblas.so.3,"
    "${NMT_OPENBLAS_DIR}/liblapack.so.3,${NMT_OPENBLAS_DIR}/libopenblas.so.0,--pop-state")
  target_link_libraries(nmt_torch INTERFACE ${openblas})
  list(APPEND CMAKE_BUILD_RPATH ${NMT_OPENBLAS_DIR})
else()
  set(NMT_OPENBLAS_DIR "")
endif()

# Vector instructions chosen at run time.
find_package(hwy REQUIRED CONFIG)
add_library(nmt_highway INTERFACE)
if(TARGET hwy::hwy)
  target_link_libraries(nmt_highway INTERFACE hwy::hwy)
else()
  target_link_libraries(nmt_highway INTERFACE hwy)
endif()

# Matrix products: oneDNN's where it is there, for it multiplies few rows twice as fast; else BLAS.
# Its CMake package asks for OpenCL, which is not needed.
find_path(ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl.h)
find_library(ONEDNN_LIBRARY dnnl)
add_library(nmt_matrix_library INTERFACE)
if(ONEDNN_INCLUDE_DIR AND ONEDNN_LIBRARY)
  target_link_libraries(nmt_matrix_library INTERFACE ${ONEDNN_LIBRARY})
  target_include_directories(nmt_matrix_library SYSTEM INTERFACE ${ONEDNN_INCLUDE_DIR})
  target_compile_definitions(nmt_matrix_library INTERFACE NMT_HAS_ONEDNN)
else()
  find_package(BLAS REQUIRED)
  target_link_libraries(nmt_matrix_library INTERFACE BLAS::BLAS)
endif()

# Several processes talk through LibTorch's own Gloo; only its headers may be missing.
find_path(GLOO_INCLUDE_DIR gloo/context.h)
add_library(nmt_gloo INTERFACE)
if(GLOO_INCLUDE_DIR)
  target_include_directories(nmt_gloo SYSTEM INTERFACE ${GLOO_INCLUDE_DIR})
endif()
