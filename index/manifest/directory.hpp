// The directory of an index, as a writer sees it: whose files are these, and which are left over?
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "index/manifest/manifest.hpp"

namespace gannet::index {

inline constexpr const char* kLockName = "gannet.lock";

/// What `gannet index --resume` built the index from, so that the command, given again, knows that
/// it is done. True until the next writer comes, which removes it.
inline constexpr const char* kBuildRecordName = "gannet-resume.json";

/// The names of what is in `directory`, in no order. Throws IoError.
std::vector<std::string> names_in(const std::filesystem::path& directory);

/// Whether `directory` is a folder, no link to one, and holds nothing but what writers of indexes
/// make. Throws IoError.
bool holds_only_own(const std::filesystem::path& directory);

/// Throws UsageError if `directory`, which need not exist, lies in the folder of an index: who
/// moves or removes that would not know of it.
void refuse_within_index(const std::filesystem::path& directory);

/// Throws UsageError if a new index must not be written to `directory`: there is one already and
/// not `overwrite`, it is no directory, it lies in an index, or it holds anything that is not
/// exactly what a writer of indexes makes. Changes nothing.
void check_destination(const std::filesystem::path& directory, bool overwrite);

/// The generation that follows that of `current`, the manifest in `directory`, and those of all
/// files of segments there: 1 if there are none. Throws IoError.
std::uint64_t next_generation(const std::filesystem::path& directory,
                              const std::optional<Manifest>& current);

/// The manifest in `directory`; nothing if there is none, or it is damaged or of another version.
/// Throws IoError where there may be one that cannot be read just now.
std::optional<Manifest> readable_manifest(const std::filesystem::path& directory);

/// Removes what killed writers left: temporary files, and segments that `current`, the manifest in
/// `directory`, does not name; also the files that `replaced` names, whatever their kind, unless
/// `current` names them too. Without `current` segments go only where there is no manifest: one
/// that is damaged may name any of them. What no writer makes under such a name, a folder or a
/// link, stays. To be called with the directory locked. Throws IoError.
void remove_leftovers(const std::filesystem::path& directory,
                      const std::optional<Manifest>& current,
                      const std::optional<Manifest>& replaced = std::nullopt);

}  // namespace gannet::index
