# Writes OUTPUT.h and OUTPUT.cpp from OUTPUT.manifest.cmake, a list of embed(FILES|HEADERS <virtual name> <file>).
# Every byte travels as a hex escape, so no text of a template can be read as CMake or as C++.
cmake_minimum_required(VERSION 3.25)
string(REPEAT "." 96 escapes_of_a_line)

set(entries "")
function(embed kind name path)
  file(READ "${path}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" escapes "${hex}")
  string(REGEX REPLACE "(${escapes_of_a_line})" "\\1\"\n      \"" literal "${escapes}")
  set(is_template false)
  if(kind STREQUAL FILES)
    set(is_template true)
  endif()
  string(APPEND entries "    {R\"name(${name})name\",\n     {\"${literal}\",\n      ${bytes}},\n     ${is_template}},\n")
  set(entries "${entries}" PARENT_SCOPE)
endfunction()
include("${OUTPUT}.manifest.cmake")

file(WRITE "${OUTPUT}.h" "#pragma once
// Written by tilejit_embed_templates().
#include <tilejit/generator/template_library.h>

extern const tilejit::EmbeddedTemplates ${PREFIX}_templates;
")
file(WRITE "${OUTPUT}.cpp" "// Written by tilejit_embed_templates().
#include \"${PREFIX}_templates.h\"

namespace {
constexpr tilejit::EmbeddedFile files[] = {
${entries}};
}  // namespace

constinit const tilejit::EmbeddedTemplates ${PREFIX}_templates{files};
")
