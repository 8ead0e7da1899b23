# Choices that hold for every target of the project: language level, build type, compiler cache, warnings,
# processor, sanitizers. Included by the top level and by kernels/ when that is configured on its own.
include_guard(GLOBAL)
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

# The installed command finds the libraries that it was built with, wherever PETSc lies.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

if(NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(SINEW_NATIVE_DEFAULT ON)
else()
  set(SINEW_NATIVE_DEFAULT OFF)
endif()
option(SINEW_NATIVE "Optimise for the processor of the building machine" ${SINEW_NATIVE_DEFAULT})
option(SINEW_WERROR "Treat warnings as errors" OFF)
set(SINEW_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined")

find_program(SINEW_CCACHE ccache)
mark_as_advanced(SINEW_CCACHE)
if(SINEW_CCACHE)
  foreach(language C CXX)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER "${SINEW_CCACHE}")
    endif()
  endforeach()
endif()

# How our own sources are compiled; linked privately, so nothing of it reaches those who use Sinew.
add_library(sinew_options INTERFACE)

target_compile_options(sinew_options INTERFACE -Wall -Wextra -Wshadow -fno-math-errno)
if(SINEW_WERROR)
  target_compile_options(sinew_options INTERFACE -Werror)
endif()
if(SINEW_NATIVE)
  target_compile_options(sinew_options INTERFACE -march=native)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(sinew_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(SINEW_SANITIZE)
  target_compile_options(sinew_options INTERFACE
    "-fsanitize=${SINEW_SANITIZE}" -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(sinew_options INTERFACE "-fsanitize=${SINEW_SANITIZE}")
endif()

# Adds the options above to a target of ours. -Wpedantic is left out for CUDA: the host code that nvcc writes
# does not pass it.
function(sinew_compile_as_ours target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:sinew_options>)
  if(NOT SINEW_KOKKOS_CUDA)
    target_compile_options(${target} PRIVATE -Wpedantic)
  endif()
endfunction()
