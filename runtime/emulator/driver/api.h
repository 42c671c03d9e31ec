#pragma once
// The library's only exports: what cuda.h declares is visible.
#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop
