// Memory between batches.
#pragma once

namespace gannet::tools {

/// For commands that run batch after batch: memory that one batch gave back is kept for the next
/// ones, instead of being returned to the system, which makes every page anew. Does nothing where
/// the C library has no such setting.
void keep_freed_memory();

}  // namespace gannet::tools
