# `cmake --install` gives a package for find_package(hmmlt): headers, two static libraries, and the same dependency
# search that this build used. With Arrow from the pyarrow wheel, hmmlt::io stays tied to that environment.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/hmmlt")
install(
  TARGETS hmmlt_core hmmlt_io
  EXPORT hmmltTargets
  FILE_SET HEADERS)
install(EXPORT hmmltTargets NAMESPACE hmmlt:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/hmmltConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/hmmltConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hmmltConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/hmmltConfig.cmake" "${PROJECT_BINARY_DIR}/hmmltConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/HmmltDependencies.cmake" "${PROJECT_SOURCE_DIR}/cmake/HmmltArrow.cmake"
        DESTINATION "${package_dir}")
