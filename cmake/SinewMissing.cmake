# Collects what is missing and says it in one message, with the package that brings it.
include_guard(GLOBAL)

# what: the library; package: Debian's name of it; hint: how to point at another copy.
function(sinew_missing what package hint)
  set_property(GLOBAL APPEND PROPERTY SINEW_MISSING
    "  ${what}: Debian/Ubuntu package ${package}\n      elsewhere: ${hint}")
  set_property(GLOBAL APPEND PROPERTY SINEW_MISSING_PACKAGES ${package})
endfunction()

function(sinew_report_missing)
  get_property(missing GLOBAL PROPERTY SINEW_MISSING)
  if(NOT missing)
    return()
  endif()
  get_property(packages GLOBAL PROPERTY SINEW_MISSING_PACKAGES)
  list(REMOVE_DUPLICATES packages)
  list(JOIN missing "\n" missing)
  list(JOIN packages " " packages)
  message(FATAL_ERROR "Sinew cannot be built here, some libraries were not found:\n${missing}\n"
    "On Debian or Ubuntu, scripts/setup.sh installs all that is needed, or: apt-get install ${packages}")
endfunction()
