#pragma once

/// Marks what libtilejit exports; everything else is hidden.
#define TILEJIT_API __attribute__((visibility("default")))
