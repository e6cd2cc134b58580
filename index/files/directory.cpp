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
constexpr std::size_t kGenerationDigits = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a run of at least `least` digits from the front of `text`; empty if there is none.
std::string_view take_digits(std::string_view& text, std::size_t least = 1) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (digits.size() < least) return {};
  text.remove_prefix(digits.size());
  return digits;
}

bool is_number(std::string_view digits) {
  return digits.size() >= kGenerationDigits && std::ranges::all_of(digits, is_digit);
}

/// Whether a segment's file may be called so behind the segment's name: a dot and the kind of file;
/// of live documents also a generation.
bool is_extension(std::string_view text) {
  const std::string live = "." + std::string(kLiveFile.name) + "-";
  if (text.starts_with(live)) return is_number(text.substr(live.size()));
  return std::ranges::any_of(kFileKinds, [&](FileKind kind) {
    return kind.tag != kLiveFile.tag && text == "." + std::string(kind.name);
  });
}

/// The generation in the name of a segment's file: `segment-`, eight digits or more, and an
/// extension. Nothing for any other name.
std::optional<std::uint64_t> generation_in(std::string_view name) {
  if (!name.starts_with(kSegmentLead)) return std::nullopt;
  name.remove_prefix(kSegmentLead.size());
  const std::string_view digits = take_digits(name, kGenerationDigits);
  std::uint64_t generation = 0;
  const auto end = digits.data() + digits.size();
  if (digits.empty() || std::from_chars(digits.data(), end, generation).ec != std::errc()) {
    return std::nullopt;
  }
  if (!is_extension(name)) return std::nullopt;
  return generation;
}

/// Whether a writer names something so that stays no longer than until the next writer comes.
bool is_temporary(std::string_view name) {
  if (name == kScratchName || name == kBuildRecordName) return true;
  const std::string_view target = target_of_temporary(name);
  return target == kManifestName || target == kLockName || generation_in(target);
}

bool belongs_to(const std::string& name, const Manifest& manifest) {
  for (const SegmentRecord& segment : manifest.segments) {
    for (const FileRecord& file : segment.files) {
      if (name == file_name(segment, file)) return true;
    }
  }
  return false;
}

/// Whether `name` is something that a writer of indexes made in `directory`: such a name, for a
/// file (for a directory in the case of the scratch directory).
bool is_own(const fs::path& directory, const std::string& name,
            const std::optional<Manifest>& manifest) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(directory / name, error);
  if (name == kScratchName) return fs::is_directory(status);
  if (!fs::is_regular_file(status)) return false;
  return name == kLockName || name == kManifestName || is_temporary(name) || generation_in(name) ||
         (manifest && belongs_to(name, *manifest));
}

}  // namespace

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

bool holds_only_own(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(directory, error))) return false;
  const auto manifest = readable_manifest(directory);
  return std::ranges::all_of(names_in(directory), [&](const std::string& name) {
    return is_own(directory, name, manifest);
  });
}

std::optional<Manifest> readable_manifest(const fs::path& directory) {
  try {
    return read_manifest(directory);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check_destination(const fs::path& directory, bool overwrite) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(directory, error))) return;
  if (!fs::is_directory(directory, error)) {
    throw UsageError(directory.string() + ": not a directory; choose another output");
  }
  const std::vector<std::string> names = names_in(directory);
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto manifest = readable_manifest(directory);
  // A writer makes its lock first: without it, and without an index, nothing here is ours.
  const bool written_here = manifest || has(kLockName);
  for (const std::string& name : names) {
    if (written_here && is_own(directory, name, manifest)) continue;
    if (name == kManifestName) {
      throw UsageError(
          directory.string() +
          ": its manifest.json is not that of a Gannet index; choose another directory");
    }
    throw UsageError(directory.string() + ": holds other files ('" + printable(name) +
                     "'); choose an empty or a new directory for the index");
  }
  if (!has(kManifestName)) return;
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

void remove_leftovers(const fs::path& directory, const std::optional<Manifest>& replaced) {
  std::error_code error;
  const bool unreadable =
      fs::exists(directory / kManifestName, error) && !readable_manifest(directory);
  const Manifest manifest = readable_manifest(directory).value_or(Manifest{});
  for (const std::string& name : names_in(directory)) {
    const bool of_segment = generation_in(name) || (replaced && belongs_to(name, *replaced));
    const bool unused = of_segment && !unreadable && !belongs_to(name, manifest);
    if (!is_temporary(name) && !unused) continue;
    // By its kind, too: a folder or a link of somebody else may be called so.
    if (is_own(directory, name, replaced)) remove_tree(directory / name);
  }
}

}  // namespace gannet::index
