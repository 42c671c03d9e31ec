#pragma once
// What is left of `amount`, a number or a tile of them, after `steps` half-lives.
template <class T>
__device__ __forceinline__ T after_half_lives(T amount, int steps) {
  for (int step = 0; step < steps; ++step) amount = amount * 0.5f;
  return amount;
}
