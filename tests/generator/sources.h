#pragma once
#include <string>
#include <utility>

#include <tilejit/generator/codegen.h>
#include <tilejit/generator/target.h>

namespace tilejit::test {

inline const std::string template_name = "/tilejit/templates/kernels/scale.cuh";

/// As codegen would write it: a template called `scale` whose function body is `body`, and its entry. The body's first
/// line is line 21 of the template.
inline GeneratedSource source_with_body(const std::string& body, std::vector<SourceFile> headers = {}) {
  GeneratedSource source;
  source.name = "/tilejit/generated/scale.cu";
  source.entry = "scale_kernel";
  for (const SourceFile& header : headers) source.text += "#include \"" + header.name + "\"\n";
  source.headers = std::move(headers);
  source.text += "#line 20 \"" + template_name +
                 "\"\n"
                 "__device__ void scale(float* x) {\n" +
                 body +
                 "\n}\n"
                 "#line 9 \"/tilejit/generated/scale.cu\"\n"
                 "extern \"C\" __global__ void __launch_bounds__(128) scale_kernel(float* x) { scale(x); }\n";
  source.parameters = {{Parameter::Kind::pointer, 0, 0, 0, 8}};
  source.parameter_bytes = 8;
  source.threads = 128;
  return source;
}

inline GeneratedSource good_source() { return source_with_body("  x[threadIdx.x] *= 2;"); }

inline Target sm(const std::string& arch, bool ptx_only = false) {
  Target target = target_of(arch);
  target.ptx_only = ptx_only;
  return target;
}

}  // namespace tilejit::test
