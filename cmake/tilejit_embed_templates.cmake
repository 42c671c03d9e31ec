# tilejit_embed_templates(TARGET my_app PREFIX my_app FILES kernels/scale.cuh ... [HEADERS kernels/scale_math.cuh ...]
#                         [BASE folder])
#
# Puts kernel templates (FILES) and the headers that they include (HEADERS) into TARGET as plain data, byte for byte.
# TARGET can then `#include "my_app_templates.h"`, which declares `extern const tilejit::EmbeddedTemplates
# my_app_templates;`, ready for tilejit::Options::templates. Nothing registers itself and nothing runs at start.
#
# A file is known as /PREFIX/templates/<path below BASE>, in error messages too; a header is included by its path below
# BASE. BASE is the calling folder unless it is given. Call this in the folder that makes TARGET; TARGET links
# tilejit::tilejit. No Python, no other program than cmake is needed at build time.
cmake_policy(VERSION 3.25)

function(tilejit_embed_templates)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;PREFIX;BASE" "FILES;HEADERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilejit_embed_templates: not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "tilejit_embed_templates: TARGET '${arg_TARGET}' is no target")
  endif()
  if(NOT arg_PREFIX MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "tilejit_embed_templates: PREFIX '${arg_PREFIX}' is no C++ identifier")
  endif()
  if(NOT arg_FILES AND NOT arg_HEADERS)
    message(FATAL_ERROR "tilejit_embed_templates: neither FILES nor HEADERS for ${arg_TARGET}")
  endif()
  if(NOT arg_BASE)
    set(arg_BASE ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  cmake_path(ABSOLUTE_PATH arg_BASE NORMALIZE)

  set(sources)
  set(manifest "")
  foreach(kind FILES HEADERS)
    foreach(file IN LISTS arg_${kind})
      cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE path)
      if(NOT EXISTS ${path} OR IS_DIRECTORY ${path})
        get_source_file_property(generated ${path} GENERATED)
        if(NOT generated)
          message(FATAL_ERROR "tilejit_embed_templates: no file ${path}")
        endif()
      endif()
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${arg_BASE} OUTPUT_VARIABLE name)
      if(name MATCHES "^\\.\\.")
        message(FATAL_ERROR "tilejit_embed_templates: ${path} lies outside BASE ${arg_BASE}")
      endif()
      if(path IN_LIST sources)
        message(FATAL_ERROR "tilejit_embed_templates: ${path} is named twice")
      endif()
      list(APPEND sources ${path})
      string(APPEND manifest "embed(${kind} [==[/${arg_PREFIX}/templates/${name}]==] [==[${path}]==])\n")
    endforeach()
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/tilejit_embedded/${arg_PREFIX})
  set(output ${folder}/${arg_PREFIX}_templates)
  set(written "")
  if(EXISTS ${output}.manifest.cmake)
    file(READ ${output}.manifest.cmake written)
  endif()
  if(NOT written STREQUAL manifest)
    file(WRITE ${output}.manifest.cmake "${manifest}")
  endif()
  add_custom_command(
    OUTPUT ${output}.h ${output}.cpp
    COMMAND ${CMAKE_COMMAND} -D PREFIX=${arg_PREFIX} -D OUTPUT=${output} -P
            ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tilejit_write_embedded.cmake
    DEPENDS ${sources} ${output}.manifest.cmake ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tilejit_write_embedded.cmake
    COMMENT "Embedding the templates of ${arg_PREFIX}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${output}.cpp ${output}.h)

  get_target_property(type ${arg_TARGET} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_include_directories(${arg_TARGET} PRIVATE ${folder})
  else()
    target_include_directories(${arg_TARGET} PUBLIC $<BUILD_INTERFACE:${folder}>)
  endif()
endfunction()
