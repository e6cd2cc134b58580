#include "index/manifest/directory.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/base/exists.hpp"
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

/// Takes a number of eight digits or more from the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  const std::string_view digits = take_digits(text, kGenerationDigits);
  std::uint64_t number = 0;
  const auto end = digits.data() + digits.size();
  if (digits.empty() || std::from_chars(digits.data(), end, number).ec != std::errc()) {
    return std::nullopt;
  }
  return number;
}

/// The generations in the name of a segment's file.
struct FileNumbers {
  std::uint64_t segment = 0;
  std::uint64_t live = 0;  ///< 0 of a file that is not of live documents
};

/// Of `segment-NUMBER.KIND`, and of live documents `segment-NUMBER.live-NUMBER`. Nothing for any
/// other name.
std::optional<FileNumbers> numbers_in(std::string_view name) {
  if (!name.starts_with(kSegmentLead)) return std::nullopt;
  name.remove_prefix(kSegmentLead.size());
  const auto segment = take_number(name);
  if (!segment) return std::nullopt;
  const std::string live_lead = "." + std::string(kLiveFile.name) + "-";
  if (name.starts_with(live_lead)) {
    name.remove_prefix(live_lead.size());
    const auto live = take_number(name);
    if (!live || !name.empty()) return std::nullopt;
    return FileNumbers{*segment, *live};
  }
  const bool known = std::ranges::any_of(kFileKinds, [&](FileKind kind) {
    return kind.tag != kLiveFile.tag && name == "." + std::string(kind.name);
  });
  if (!known) return std::nullopt;
  return FileNumbers{*segment};
}

/// Whether a writer names something so that stays no longer than until the next writer comes.
bool is_temporary(std::string_view name) {
  if (name == kScratchName || name == kBuildRecordName) return true;
  const std::string_view target = target_of_temporary(name);
  return target == kManifestName || target == kLockName || numbers_in(target);
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
  return name == kLockName || name == kManifestName || is_temporary(name) || numbers_in(name) ||
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
  if (!has_manifest(directory)) return std::nullopt;
  try {
    return read_manifest(directory);
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

void refuse_within_index(const fs::path& directory) {
  std::error_code error;
  fs::path at = fs::weakly_canonical(fs::absolute(directory, error), error);
  if (!at.has_filename()) at = at.parent_path();  // "index/"
  while (at != at.parent_path()) {
    const bool own = at.filename() == kScratchName;  // a writer may do there what it likes
    at = at.parent_path();
    if (own) continue;
    if (!fs::is_regular_file(at / kManifestName, error) || !readable_manifest(at)) continue;
    throw UsageError(directory.string() + ": lies in the index '" + at.string() +
                     "', whose folder is for its own files; choose a folder outside of it");
  }
}

void check_destination(const fs::path& directory, bool overwrite) {
  refuse_within_index(directory);
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
    throw ExistsError(directory.string() +
                      ": there is an index already; pass --overwrite to replace it");
  }
}

std::uint64_t next_generation(const fs::path& directory, const std::optional<Manifest>& current) {
  std::uint64_t last = current ? current->generation : 0;
  for (const std::string& name : names_in(directory)) {
    if (const auto used = numbers_in(name)) last = std::max({last, used->segment, used->live});
  }
  return last + 1;
}

void remove_leftovers(const fs::path& directory, const std::optional<Manifest>& current,
                      const std::optional<Manifest>& replaced) {
  const bool unknown = !current && has_manifest(directory);
  for (const std::string& name : names_in(directory)) {
    const bool of_segment = numbers_in(name) || (replaced && belongs_to(name, *replaced));
    const bool unused = of_segment && !unknown && !(current && belongs_to(name, *current));
    if (!is_temporary(name) && !unused) continue;
    // By its kind, too: a folder or a link of somebody else may be called so.
    if (is_own(directory, name, replaced)) remove_tree(directory / name);
  }
}

}  // namespace gannet::index
