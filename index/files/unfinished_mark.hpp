// A mark in a folder that Gannet works in: what is in it is Gannet's own, and not finished.
#pragma once

#include <filesystem>

namespace gannet::index {

/// The file that is the mark. Its name alone says nothing: it must hold what Gannet writes.
inline constexpr const char* kUnfinishedName = "gannet-unfinished.txt";

/// Puts the mark there, durably, before anything else of the work is. Throws IoError.
void mark_unfinished(const std::filesystem::path& folder);

/// Whether the mark is there. Throws IoError where that cannot be told.
bool is_marked_unfinished(const std::filesystem::path& folder);

}  // namespace gannet::index
