/*---
summary = "y[m] = table[token[m]] + position[m], rows of a table by number"
use     = ["block/gather.cuh", "block/memory_like.cuh"]
default = { BLOCK_M = 8, BLOCK_N = 256, num_warps = 4 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
[[arguments]]
name   = "table"
shape  = ["V", "N"]
access = "read"
[[arguments]]
name   = "token"
shape  = ["M"]
access = "read"
dtypes = ["i32", "i64"]
[[arguments]]
name   = "position"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "table"
---*/
template <class Table, class Token, class Position, class Y>
__device__ void embedding(Table table, Token token, Position position, Y y) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  const auto where_to = load(position, rows, cols);
  const auto numbers = load_along<0>(where_to, token, rows);
  store(y, rows, cols, gather(table, numbers, cols) + where_to);
}
