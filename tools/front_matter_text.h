#pragma once
#include <string>

#include <tilejit/generator/template_library.h>

namespace tilejit::tool {

/// Every key of a template's front matter, a line each, those left out too ("-").
std::string front_matter_text(const Template& kernel);

/// The same as a JSON object's text, indented by two.
std::string front_matter_json(const Template& kernel);

}  // namespace tilejit::tool
