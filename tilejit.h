#pragma once
/// TileJIT's public surface: only includes.
#include <tilejit/cache/log.h>
#include <tilejit/generator/dtype.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/specialization.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/contiguous.h>
#include <tilejit/runtime/device.h>
#include <tilejit/runtime/errors.h>
#include <tilejit/runtime/jit.h>
#include <tilejit/runtime/jit_function.h>
#include <tilejit/runtime/options.h>
#include <tilejit/runtime/scalar.h>
#include <tilejit/runtime/stream.h>
#include <tilejit/runtime/tensor.h>
#include <tilejit/runtime/tensor_view.h>
#include <tilejit/runtime/tuning/tuning_result.h>
