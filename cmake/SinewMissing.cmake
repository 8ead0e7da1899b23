# Collects what is missing and says it in one message, with the package that brings it.
include_guard(GLOBAL)

# What was found; nothing where another project looks for our package quietly.
function(sinew_say)
  if(NOT Sinew_FIND_QUIETLY)
    message(STATUS ${ARGV})
  endif()
endfunction()

# what: the library; package: Debian's name of it; hint: how to point at another copy.
function(sinew_missing what package hint)
  set_property(GLOBAL APPEND PROPERTY SINEW_MISSING
    "  ${what}: Debian/Ubuntu package ${package}\n      elsewhere: ${hint}")
  set_property(GLOBAL APPEND PROPERTY SINEW_MISSING_PACKAGES ${package})
endfunction()

# The list of them, ready to print; empty: nothing is missing. They are forgotten.
function(sinew_take_missing result)
  get_property(missing GLOBAL PROPERTY SINEW_MISSING)
  get_property(packages GLOBAL PROPERTY SINEW_MISSING_PACKAGES)
  set_property(GLOBAL PROPERTY SINEW_MISSING "")
  set_property(GLOBAL PROPERTY SINEW_MISSING_PACKAGES "")
  if(missing)
    list(REMOVE_DUPLICATES packages)
    list(JOIN missing "\n" missing)
    list(JOIN packages " " packages)
    set(missing "${missing}\n  on Debian or Ubuntu: apt-get install ${packages}")
  endif()
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()

# Ends the configuration of Sinew itself where something is missing.
function(sinew_report_missing)
  sinew_take_missing(missing)
  if(missing)
    message(FATAL_ERROR "Sinew cannot be built here, some libraries were not found (scripts/setup.sh installs all that is "
      "needed on Debian or Ubuntu):\n${missing}")
  endif()
endfunction()
