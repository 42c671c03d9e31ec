# tilejit_precompiled(NAME tests HEADERS <gtest/gtest.h> ... [LIBRARIES GTest::gmock] [FLAGS -O0])
# tilejit_use_precompiled(TARGET NAME)
#
# The slowest headers that a room's files share, compiled once: a third of the time of an unoptimised build. For quick
# builds with g++ alone; other builds see that each file includes what it needs. Flags must be those of the users.
function(tilejit_precompiled)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "HEADERS;LIBRARIES;FLAGS")
  if(NOT TILEJIT_QUICK_BUILD OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  set(target tilejit_precompiled_${arg_NAME})
  set(empty ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(GENERATE OUTPUT ${empty} CONTENT "// For the headers that are compiled with it.\n")
  add_library(${target} OBJECT ${empty})
  target_compile_options(${target} PRIVATE ${arg_FLAGS})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  tilejit_cache_precompiled(${target})
endfunction()

function(tilejit_use_precompiled target name)
  if(TARGET tilejit_precompiled_${name})
    target_precompile_headers(${target} REUSE_FROM tilejit_precompiled_${name})
    tilejit_cache_precompiled(${target})
  endif()
endfunction()

# What ccache wants to know before it keeps files that include a precompiled header.
function(tilejit_cache_precompiled target)
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
                          "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()
