# Every test case carries one of the tags [serial], [mpi], [device]: whoever has no MPI or no device can then leave
# those out. Counted per file, as many tags as cases.
#
#   cmake -DROOT=<repository> -P check_tags.cmake
cmake_minimum_required(VERSION 3.22)

set(problems "")
file(GLOB_RECURSE files "${ROOT}/tests/*.cpp")
foreach(file ${files})
  file(READ "${file}" text)
  string(REPLACE ";" " " text "${text}")
  string(REGEX REPLACE "[[](serial|mpi|device)[]]" "@TAG@" text "${text}")
  string(REGEX REPLACE "[][]" " " text "${text}")
  string(REGEX MATCHALL "TEST_CASE[A-Z_]*[(]" cases "${text}")
  string(REGEX MATCHALL "@TAG@" tags "${text}")
  list(LENGTH cases case_count)
  list(LENGTH tags tag_count)
  if(case_count GREATER tag_count)
    file(RELATIVE_PATH name "${ROOT}" "${file}")
    string(APPEND problems "  ${name}: ${case_count} cases, ${tag_count} tags\n")
  endif()
endforeach()

if(problems)
  message(FATAL_ERROR "Test cases without [serial], [mpi] or [device]:\n${problems}")
endif()
