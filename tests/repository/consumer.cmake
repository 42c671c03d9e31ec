# cmake -D SOURCE=<root> -D BUILD=<built tree> -D SHARED=ON|OFF -D FOLDER=<scratch> -D COMPILER=g++ [-D FLAGS=...]
#       [-D LAUNCHER=ccache -D OPTIMIZATION=-O2] -P consumer.cmake
# Installs TileJIT, moves it away from where it was installed, builds examples/consumer and each public header alone
# against it, and runs the consumer. The shared library comes from BUILD; the static one is built here.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER}/installed ${FOLDER}/moved ${FOLDER}/consumer ${FOLDER}/headers)
cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
set(toolchain -G Ninja -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

if(NOT SHARED)
  # With a compiler cache, what BUILD compiled is compiled already.
  if(NOT LAUNCHER)
    set(OPTIMIZATION -O0)
  endif()
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/static ${toolchain} -D CMAKE_BUILD_TYPE=RelWithDebInfo
      -D CMAKE_CXX_FLAGS_RELWITHDEBINFO=${OPTIMIZATION} -D BUILD_SHARED_LIBS=OFF
      -D TILEJIT_BUILD_TESTS=OFF -D TILEJIT_BUILD_TOOLS=OFF -D TILEJIT_BUILD_EMULATOR=OFF)
  run(${CMAKE_COMMAND} --build ${FOLDER}/static -j ${jobs})
  set(ENV{LD_LIBRARY_PATH} ${BUILD}/lib)  # where a program without libtilejit.so beside it finds the emulated device
  set(BUILD ${FOLDER}/static)
endif()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/installed)
file(RENAME ${FOLDER}/installed ${FOLDER}/moved)

# The shared library needs no package of those it was built with.
set(nothing_else "")
if(SHARED)
  foreach(package IN ITEMS fmt spdlog tomlplusplus nlohmann_json PkgConfig CUDAToolkit Threads)
    list(APPEND nothing_else -D CMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
  endforeach()
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/consumer -B ${FOLDER}/consumer ${toolchain}
    -D CMAKE_PREFIX_PATH=${FOLDER}/moved ${nothing_else})
run(${CMAKE_COMMAND} --build ${FOLDER}/consumer -j ${jobs})
run(${CMAKE_COMMAND} -E env TILEJIT_CACHE_DIR=${FOLDER}/cache ${FOLDER}/consumer/consumer)
message("${output}")
if(NOT output MATCHES "decay: y = x after three half-lives \\(/consumer/templates/decay.cuh\\)")
  message(FATAL_ERROR "the consumer does not know its own template")
endif()
if(NOT output MATCHES "left: 1 2 3|nothing was launched: ")
  message(FATAL_ERROR "the consumer neither ran its template nor said why not")
endif()
if(NOT SHARED)
  return()
endif()

# Each installed header alone, and no other header is installed.
include(${SOURCE}/cmake/tilejit_public_headers.cmake)
tilejit_public_headers(public ${SOURCE})
file(GLOB_RECURSE installed RELATIVE ${FOLDER}/moved/include/tilejit ${FOLDER}/moved/include/*)
list(SORT installed)
if(NOT installed STREQUAL public)
  message(FATAL_ERROR "installed: ${installed}\npublic: ${public}")
endif()
set(units "")
foreach(header IN LISTS public)
  string(MAKE_C_IDENTIFIER ${header} unit)
  file(WRITE ${FOLDER}/headers/${unit}.cpp "#include <tilejit/${header}>\n#include <tilejit/${header}>\n")
  string(APPEND units " ${unit}.cpp")
endforeach()
file(WRITE ${FOLDER}/headers/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(headers LANGUAGES CXX)
find_package(tilejit REQUIRED)
add_library(headers OBJECT ${units})
target_compile_options(headers PRIVATE -Wall -Wextra -Wpedantic -Werror)
target_link_libraries(headers PRIVATE tilejit::tilejit)\n")
run(${CMAKE_COMMAND} -S ${FOLDER}/headers -B ${FOLDER}/headers/build ${toolchain} -D CMAKE_PREFIX_PATH=${FOLDER}/moved
    ${nothing_else})
run(${CMAKE_COMMAND} --build ${FOLDER}/headers/build -j ${jobs})
list(LENGTH public count)
message("${count} public headers stand alone")
