#include "index/files/directory.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include "codecs/error.hpp"
#include "index/files/atomic_file.hpp"
#include "index/files/messages.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSegmentLead = "segment-";

/// The entries' names. Throws IoError.
std::vector<std::string> names_in(const fs::path& directory) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) fail_io(directory, "list", error.value());
  return names;
}

/// The generation in the name of a segment's file, under its final or temporary name.
std::optional<std::uint64_t> generation_in(std::string_view name) {
  if (!name.starts_with(kSegmentLead)) return std::nullopt;
  name.remove_prefix(kSegmentLead.size());
  std::uint64_t generation = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), generation);
  if (error != std::errc() || end == name.data() + name.size() || *end != '.') return std::nullopt;
  return generation;
}

bool is_temporary(std::string_view name) {
  return name == kScratchName || name == std::string(kManifestName) + kTemporarySuffix ||
         (generation_in(name) && name.ends_with(kTemporarySuffix));
}

std::optional<Manifest> readable_manifest(const fs::path& directory) {
  try {
    return read_manifest(directory);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool belongs_to(const std::string& name, const Manifest& manifest) {
  for (const SegmentRecord& segment : manifest.segments) {
    for (const FileRecord& file : segment.files) {
      if (name == file_name(segment, file.kind)) return true;
    }
  }
  return false;
}

}  // namespace

void check_destination(const fs::path& directory, bool overwrite) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(directory, error))) return;
  if (!fs::is_directory(directory, error)) {
    throw UsageError(directory.string() + ": not a directory; choose another output");
  }
  bool manifest = false;
  bool ours = false;
  for (const std::string& name : names_in(directory)) {
    if (name == kManifestName) {
      manifest = true;
    } else if (name == kLockName || is_temporary(name) || generation_in(name)) {
      ours = true;
    } else {
      throw UsageError(directory.string() + ": holds other files ('" + printable(name) +
                       "'); choose an empty or a new directory for the index");
    }
  }
  if (!manifest) return;
  if (!ours && !readable_manifest(directory)) {
    throw UsageError(directory.string() +
                     ": its manifest.json is not that of a Gannet index; choose another directory");
  }
  if (!overwrite) {
    throw UsageError(directory.string() +
                     ": there is an index already; pass --overwrite to replace it");
  }
}

std::uint64_t next_generation(const fs::path& directory) {
  std::uint64_t last = 0;
  if (const auto manifest = readable_manifest(directory)) last = manifest->generation;
  for (const std::string& name : names_in(directory)) {
    last = std::max(last, generation_in(name).value_or(0));
  }
  return last + 1;
}

void remove_leftovers(const fs::path& directory) {
  std::error_code error;
  const bool unreadable =
      fs::exists(directory / kManifestName, error) && !readable_manifest(directory);
  const Manifest manifest = readable_manifest(directory).value_or(Manifest{});
  for (const std::string& name : names_in(directory)) {
    const bool unused = generation_in(name) && !unreadable && !belongs_to(name, manifest);
    if (!is_temporary(name) && !unused) continue;
    fs::remove_all(directory / name, error);
    if (error) fail_io(directory / name, "remove", error.value());
  }
}

}  // namespace gannet::index
