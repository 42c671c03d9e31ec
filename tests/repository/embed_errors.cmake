# cmake -D SOURCE=<root> -D FOLDER=<scratch> -P embed_errors.cmake
# tilejit_embed_templates() refuses what it cannot do, and says what.
file(REMOVE_RECURSE ${FOLDER})
file(WRITE ${FOLDER}/a.cuh "text")
file(WRITE ${FOLDER}/below/b.cuh "text")

function(expect message)
  file(WRITE ${FOLDER}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(refused NONE)
include(${SOURCE}/cmake/tilejit_embed_templates.cmake)
add_custom_target(app)
tilejit_embed_templates(${ARGN})\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build RESULT_VARIABLE status ERROR_VARIABLE errors
                  OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
  string(FIND "${errors}" "${message}" at)
  if(status EQUAL 0 OR at EQUAL -1)
    message(SEND_ERROR "tilejit_embed_templates(${ARGN}): expected '${message}', got status ${status}: ${errors}")
  endif()
endfunction()

expect("TARGET 'nobody' is no target" "TARGET nobody PREFIX app FILES a.cuh")
expect("PREFIX '1-app' is no C++ identifier" "TARGET app PREFIX 1-app FILES a.cuh")
expect("neither FILES nor HEADERS" "TARGET app PREFIX app")
expect("no file ${FOLDER}/gone.cuh" "TARGET app PREFIX app FILES gone.cuh")
expect("lies outside BASE ${FOLDER}/below" "TARGET app PREFIX app FILES a.cuh BASE below")
expect("a.cuh is named twice" "TARGET app PREFIX app FILES a.cuh HEADERS a.cuh")
expect("not understood: a.cuh" "a.cuh TARGET app PREFIX app")
message("7 refusals checked")
