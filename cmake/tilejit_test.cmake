# tilejit_test(NAME store ROOMS cache FILES store_test.cpp [LABELS unit] [LIBRARIES nettle] [DEFINITIONS X=1] [TIMEOUT 60]
#              [OPTIMIZED])
# One GoogleTest program. ROOMS names every room whose objects it holds: cache, generator, ptx, templates, runtime,
# emulator, tools ... LABELS (default unit): unit needs nothing, nvrtc a compiler, emulator the emulated device, gpu a GPU,
# package configures projects, long runs with scripts/test --full alone. OPTIMIZED: its own loops are what takes time.
include(GoogleTest)

function(tilejit_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "OPTIMIZED" "NAME;TIMEOUT" "ROOMS;FILES;LABELS;LIBRARIES;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_FILES)
    message(FATAL_ERROR "tilejit_test needs NAME and FILES; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()

  set(rooms)
  foreach(room IN LISTS arg_ROOMS)
    string(REGEX REPLACE "^(generator|runtime)/" "" room "${room}")
    string(REPLACE "/" "_" room "${room}")
    if(NOT TARGET tilejit_${room})
      message(STATUS "test ${arg_NAME} waits for the room ${room}")
      return()
    endif()
    list(APPEND rooms tilejit_${room})
  endforeach()

  set(target test_${arg_NAME})
  add_executable(${target} ${arg_FILES})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${TILEJIT_WARNINGS})
  if(TILEJIT_QUICK_BUILD AND NOT arg_OPTIMIZED)
    target_compile_options(${target} PRIVATE -O0)
    tilejit_use_precompiled(${target} tests)
  endif()
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS} TILEJIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               TILEJIT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PRIVATE ${rooms} ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${target} TEST_PREFIX "${arg_NAME}/" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${arg_TIMEOUT})
  # Discovery cannot pass a list on, so several labels are set once its tests are known.
  set(properties LABELS "\"${arg_LABELS}\"")
  if(TILEJIT_CUDA_INCLUDE STREQUAL "${PROJECT_SOURCE_DIR}/build/cuda/include" AND NOT DEFINED ENV{CUDA_PATH})
    list(APPEND properties ENVIRONMENT "\"CUDA_PATH=${PROJECT_SOURCE_DIR}/build/cuda\"")
  endif()
  list(JOIN properties " " properties)
  set(after ${CMAKE_CURRENT_BINARY_DIR}/${target}_properties.cmake)
  file(WRITE ${after} "set_tests_properties(\${${target}_TESTS} PROPERTIES ${properties})\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${after})
endfunction()
