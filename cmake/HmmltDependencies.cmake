# Finds what hmmlt links against. Conan's packages (CMakeDeps) and Debian's are found by the same names; the
# installed package runs this file too, so that a consumer finds the same libraries.

# Boost by its own CMake files; the module that looked for it before is gone from newer versions of CMake.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

# Armadillo is used as headers that call OpenBLAS directly: Debian's wrapper library would hide which BLAS runs.
if(NOT TARGET hmmlt::armadillo)
  add_library(hmmlt::armadillo INTERFACE IMPORTED)
  find_package(OpenBLAS CONFIG QUIET)
  if(TARGET OpenBLAS::OpenBLAS)
    set(HMMLT_OPENBLAS OpenBLAS::OpenBLAS)
  else()
    find_library(HMMLT_OPENBLAS openblas REQUIRED)
  endif()
  find_path(HMMLT_ARMADILLO_INCLUDE armadillo REQUIRED)
  target_include_directories(hmmlt::armadillo SYSTEM INTERFACE "${HMMLT_ARMADILLO_INCLUDE}")
  target_link_libraries(hmmlt::armadillo INTERFACE ${HMMLT_OPENBLAS})
  target_compile_definitions(
    hmmlt::armadillo INTERFACE ARMA_DONT_USE_WRAPPER ARMA_USE_BLAS ARMA_USE_LAPACK ARMA_DONT_USE_OPENMP
                               ARMA_DONT_USE_HDF5 ARMA_DONT_USE_SUPERLU ARMA_DONT_USE_ARPACK ARMA_WARN_LEVEL=0)
endif()

# hmmlt::io only.
find_package(OpenSSL REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
include("${CMAKE_CURRENT_LIST_DIR}/HmmltArrow.cmake")
