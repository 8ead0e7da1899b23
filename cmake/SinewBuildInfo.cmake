# sinew_write_build_info(SOURCES): what `sinew version` and run.json say about this build, as "base/build_info.hpp".
include_guard(GLOBAL)

# Builds after a commit, a checkout or a merge name the new revision: the log of HEAD grows with each.
function(_sinew_configure_after_commits)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" rev-parse --git-path logs/HEAD
    OUTPUT_VARIABLE log ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(EXISTS "${log}")
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${log}")
  endif()
endfunction()

function(_sinew_source_revision result)
  set(revision "unknown")
  find_package(Git QUIET)
  if(Git_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
    execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" rev-parse --short HEAD
      OUTPUT_VARIABLE text ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(NOT failed)
      set(revision "${text}")
      _sinew_configure_after_commits()
    endif()
  endif()
  set(${result} "${revision}" PARENT_SCOPE)
endfunction()

function(sinew_write_build_info sources)
  _sinew_source_revision(SINEW_SOURCE_REVISION)
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated/base")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in" "${generated}/build_info.hpp" COPYONLY)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in" "${generated}/build_info.cpp" @ONLY)
  set(${sources} "${generated}/build_info.cpp" "${generated}/build_info.hpp" PARENT_SCOPE)
endfunction()
