# How test programs are made and made known to ctest.
include_guard(GLOBAL)

set(SINEW_TEST_TIMEOUT 300 CACHE STRING "Seconds after which one test is ended")
mark_as_advanced(SINEW_TEST_TIMEOUT)
set(SINEW_TEST_ROOT "${CMAKE_CURRENT_LIST_DIR}/../tests")
get_filename_component(SINEW_TEST_ROOT "${SINEW_TEST_ROOT}" ABSOLUTE)
get_filename_component(SINEW_TEST_INCLUDE "${SINEW_TEST_ROOT}" DIRECTORY)

# Open MPI refuses more ranks than cores unless told; others have no such option.
if(MPIEXEC_EXECUTABLE)
  execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE _sinew_mpiexec ERROR_QUIET)
  if(_sinew_mpiexec MATCHES "Open MPI|OpenRTE|prte")
    set(SINEW_MPIEXEC_OVERSUBSCRIBE --oversubscribe)
  endif()
endif()

configure_file("${CMAKE_CURRENT_LIST_DIR}/test_paths.cpp.in" "${CMAKE_BINARY_DIR}/test_paths.cpp" @ONLY)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/scratch")

# One thread a rank unless a test says otherwise; PT-Scotch repeats itself only without threads of its own. Open MPI: also as root;
# ranks that wait leave their core to others, of which there may be more than cores, and look for no network.
set(SINEW_TEST_ENVIRONMENT
  OMP_NUM_THREADS=1 OMP_PROC_BIND=false OPENBLAS_NUM_THREADS=1 SCOTCH_PTHREAD_NUMBER=1
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1
  ASAN_OPTIONS=detect_leaks=0)

# The main of test programs and what all of them share, compiled once: main_serial.cpp or main_mpi.cpp.
function(_sinew_test_main main)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  if(NOT TARGET test_${main})
    add_library(test_${main} OBJECT "${SINEW_TEST_ROOT}/${main}.cpp" "${CMAKE_BINARY_DIR}/test_paths.cpp")
    target_include_directories(test_${main} PUBLIC "${SINEW_TEST_INCLUDE}")
    target_link_libraries(test_${main} PUBLIC ${arg_LIBRARIES} Catch2::Catch2)
    sinew_compile_as_ours(test_${main})
  endif()
endfunction()

function(_sinew_test_program program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAIN" "SOURCES;LIBRARIES")
  _sinew_test_main(${arg_MAIN} LIBRARIES ${arg_LIBRARIES})
  add_executable(${program} ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE test_${arg_MAIN})
  sinew_compile_as_ours(${program})
endfunction()

# One test of ctest: COMMAND with the common environment, and what is given beyond it.
function(_sinew_ctest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSORS" "COMMAND;ENVIRONMENT;LABELS")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}")
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${SINEW_TEST_TIMEOUT}
    ENVIRONMENT "${SINEW_TEST_ENVIRONMENT};${arg_ENVIRONMENT}"
    PROCESSORS ${arg_PROCESSORS}
    LABELS "${arg_LABELS}")
endfunction()

# The sources among FILES that hold test cases, and the others, which only help.
function(_sinew_sources_with_cases result)
  set(with "")
  set(stems "")
  foreach(file ${ARGN})
    file(STRINGS "${file}" cases REGEX "TEST_CASE|SCENARIO" LIMIT_COUNT 1)
    get_filename_component(stem "${file}" NAME_WE)
    if(cases AND stem IN_LIST stems)
      message(FATAL_ERROR "${file}: another source of this test program has the same name")
    elseif(cases)
      list(APPEND with "${file}")
      list(APPEND stems "${stem}")
    endif()
  endforeach()
  set(${result} "${with}" PARENT_SCOPE)
endfunction()

# tests/kernels/elements/shapes.cpp, seen from tests/, becomes kernels.elements.shapes
function(_sinew_test_name file result)
  file(RELATIVE_PATH name "${SINEW_TEST_ROOT}" "${file}")
  string(REGEX REPLACE "\\.cpp$" "" name "${name}")
  string(REPLACE "/" "." name "${name}")
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

# The command line that runs the cases of one source alone (Catch2 tags every case with its file's name).
function(_sinew_run_source program file result)
  get_filename_component(stem "${file}" NAME_WE)
  set(${result} $<TARGET_FILE:${program}> -\# "[#${stem}]" PARENT_SCOPE)
endfunction()

# test_kernels: Kokkos and Catch2 only; where Kokkos has threads, run with two of them as well.
function(sinew_add_kernel_tests)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${SINEW_TEST_ROOT}/kernels/*.cpp")
  if(NOT files)
    return()
  endif()
  _sinew_test_program(test_kernels MAIN main_serial SOURCES ${files} LIBRARIES sinew_kernels)
  _sinew_sources_with_cases(with_cases ${files})
  foreach(file ${with_cases})
    _sinew_test_name("${file}" name)
    _sinew_run_source(test_kernels "${file}" command)
    _sinew_ctest(${name} COMMAND ${command} PROCESSORS 1 LABELS kernels)
    if(SINEW_KOKKOS_OPENMP)
      _sinew_ctest(${name}.threads2 COMMAND ${command} PROCESSORS 2 ENVIRONMENT OMP_NUM_THREADS=2
        LABELS kernels)
    endif()
  endforeach()
endfunction()

# test_FOLDER of tests/FOLDER/**/*.cpp, run at every count of ranks given.
function(sinew_add_mpi_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${SINEW_TEST_ROOT}/${folder}/*.cpp")
  if(NOT files)
    return()
  endif()
  _sinew_test_program(test_${folder} MAIN main_mpi SOURCES ${files} LIBRARIES sinew_verify)
  _sinew_sources_with_cases(with_cases ${files})
  foreach(file ${with_cases})
    _sinew_test_name("${file}" name)
    _sinew_run_source(test_${folder} "${file}" command)
    foreach(ranks ${arg_RANKS})
      if(arg_RANKS STREQUAL "1")
        _sinew_ctest(${name} COMMAND ${command} PROCESSORS 1 LABELS ${folder})
      else()
        _sinew_ctest(${name}.np${ranks} PROCESSORS ${ranks} LABELS ${folder}
          COMMAND ${MPIEXEC_EXECUTABLE} ${SINEW_MPIEXEC_OVERSUBSCRIBE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${command})
      endif()
    endforeach()
  endforeach()
endfunction()

# test_program of tests/program/*.cpp: starts the command `sinew` in processes of its own, so it runs without MPI itself.
function(sinew_add_program_tests)
  file(GLOB files CONFIGURE_DEPENDS "${SINEW_TEST_ROOT}/program/*.cpp")
  _sinew_test_program(test_program MAIN main_serial SOURCES ${files} LIBRARIES sinew_kernels)
  add_dependencies(test_program sinew_command)
  foreach(file ${files})
    _sinew_test_name("${file}" name)
    _sinew_run_source(test_program "${file}" command)
    _sinew_ctest(${name} COMMAND ${command} PROCESSORS 1 LABELS program)
  endforeach()
endfunction()
