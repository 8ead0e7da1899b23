# Libraries, headers (under include/sinew, included as in the sources), the command's scripts and the CMake package.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/Sinew")

install(TARGETS sinew_kernels sinew sinew_verify EXPORT SinewTargets)
install(EXPORT SinewTargets NAMESPACE Sinew:: DESTINATION "${package_directory}")

install(DIRECTORY kernels DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sinew" FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY src/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sinew" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_BINARY_DIR}/src/generated/base/build_info.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sinew/base")
install(DIRECTORY plotting DESTINATION "${CMAKE_INSTALL_DATADIR}/sinew" OPTIONAL FILES_MATCHING PATTERN "*.py")

# What the libraries were built with besides: whoever links them needs it too.
set(SINEW_OPTIONAL_LIBRARIES "")
foreach(optional klu cudss)
  if(TARGET Sinew::${optional})
    list(APPEND SINEW_OPTIONAL_LIBRARIES ${optional})
  endif()
endforeach()
configure_package_config_file(cmake/SinewConfig.cmake.in "${PROJECT_BINARY_DIR}/SinewConfig.cmake"
  INSTALL_DESTINATION "${package_directory}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/SinewConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/SinewConfig.cmake" "${PROJECT_BINARY_DIR}/SinewConfigVersion.cmake"
  cmake/SinewDependencies.cmake cmake/SinewMissing.cmake
  cmake/SinewKokkos.cmake cmake/SinewPetsc.cmake cmake/SinewHdf5.cmake cmake/SinewKlu.cmake cmake/SinewCudss.cmake
  DESTINATION "${package_directory}")
