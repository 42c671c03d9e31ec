#pragma once
// The whole block library. A template that names what it needs in `use` compiles faster.
#include "block/cast.cuh"
#include "block/elementwise.cuh"
#include "block/index.cuh"
#include "block/memory.cuh"
#include "block/memory_1d.cuh"
#include "block/reduce.cuh"
