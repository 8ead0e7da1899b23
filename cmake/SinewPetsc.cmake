# sinew_require_petsc(), sinew_require_slepc(): the imported targets Sinew::petsc and Sinew::slepc, by pkg-config.
# PETSC_DIR with PETSC_ARCH (a build tree) or without (an installation) and SLEPC_DIR are looked at first.
include_guard(GLOBAL)
include(SinewMissing)

# Makes the target from what pkg-config said. Of its compiler flags only the folders of headers are taken: the
# others are those the distribution built its own package with.
function(_sinew_pkg_config_target target prefix)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${${prefix}_INCLUDE_DIRS})
  target_link_libraries(${target} INTERFACE ${${prefix}_LINK_LIBRARIES})
endfunction()

# Puts the pkg-config folders of the installation that the variables NAME_DIR and PETSC_ARCH name in front.
function(_sinew_prefer_installation name)
  set(root "${${name}_DIR}")
  if(NOT root)
    set(root "$ENV{${name}_DIR}")
  endif()
  set(arch "${PETSC_ARCH}")
  if(NOT arch)
    set(arch "$ENV{PETSC_ARCH}")
  endif()
  if(root)
    set(ENV{PKG_CONFIG_PATH} "${root}/${arch}/lib/pkgconfig:${root}/lib/pkgconfig:$ENV{PKG_CONFIG_PATH}")
  endif()
endfunction()

macro(sinew_require_petsc)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND AND NOT TARGET Sinew::petsc)
    _sinew_prefer_installation(PETSC)
    pkg_search_module(SINEW_PETSC QUIET PETSc petsc)
    if(SINEW_PETSC_FOUND)
      _sinew_pkg_config_target(Sinew::petsc SINEW_PETSC)
      sinew_say("PETSc ${SINEW_PETSC_VERSION} from ${SINEW_PETSC_PREFIX}")
    endif()
  endif()
  if(NOT TARGET Sinew::petsc)
    sinew_missing(PETSc "libpetsc-real-dev pkg-config"
      "set PETSC_DIR and PETSC_ARCH, or PKG_CONFIG_PATH to the folder that holds PETSc.pc")
  endif()
endmacro()

macro(sinew_require_slepc)
  if(PkgConfig_FOUND AND NOT TARGET Sinew::slepc)
    _sinew_prefer_installation(SLEPC)
    pkg_search_module(SINEW_SLEPC QUIET SLEPc slepc)
    if(SINEW_SLEPC_FOUND)
      _sinew_pkg_config_target(Sinew::slepc SINEW_SLEPC)
      sinew_say("SLEPc ${SINEW_SLEPC_VERSION} from ${SINEW_SLEPC_PREFIX}")
    endif()
  endif()
  if(NOT TARGET Sinew::slepc)
    sinew_missing(SLEPc libslepc-real-dev
      "set SLEPC_DIR, or PKG_CONFIG_PATH to the folder that holds SLEPc.pc")
  endif()
endmacro()
