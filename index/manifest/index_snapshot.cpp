#include "index/manifest/index_snapshot.hpp"

#include <algorithm>
#include <system_error>

#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

/// Writers that replace the index while it is being opened before opening gives up.
constexpr int kMaxAttempts = 16;

/// A manifest names no file that is not there, and nothing but files: else the index is damaged.
MappedFile map_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::not_found) {
    fail_format(path, "the file is missing, and manifest.json names it");
  }
  const bool known = type != std::filesystem::file_type::none;
  if (known && type != std::filesystem::file_type::regular) {
    fail_format(path, "not a regular file, where manifest.json names one");
  }
  return MappedFile(path);
}

}  // namespace

SegmentFiles::SegmentFiles(const std::filesystem::path& directory, const SegmentRecord& record)
    : directory_(directory), record_(record) {
  for (const FileRecord& file : record.files) {
    try {
      files_.emplace(file.kind, map_file(path_of(file.kind)));
    } catch (const DamageError& error) {
      failures_.emplace(file.kind, Failure{true, error.what()});
    } catch (const IoError& error) {
      failures_.emplace(file.kind, Failure{false, error.what()});
    }
  }
}

std::filesystem::path SegmentFiles::path_of(std::string_view kind) const {
  for (const FileRecord& file : record_.files) {
    if (file.kind == kind) return directory_ / file_name(record_, file);
  }
  return directory_ / file_name(record_, kind);
}

void SegmentFiles::check_identity(const ContainerReader& opened, FileKind kind) const {
  const FileSummary& expected = record_.find(kind)->summary;
  if (opened.bytes().size() != expected.length) {
    opened.fail("it has " + std::to_string(opened.bytes().size()) + " bytes, the manifest says " +
                std::to_string(expected.length));
  }
  if (opened.footer_checksum() != expected.footer) {
    opened.fail("it does not belong to the manifest");
  }
}

const MappedFile& SegmentFiles::file(std::string_view kind) const {
  const auto found = files_.find(kind);
  if (found != files_.end()) return found->second;
  const auto failed = failures_.find(kind);
  if (failed != failures_.end()) {
    const Failure& failure = failed->second;
    if (failure.damage) throw DamageError(failure.message);
    throw IoError(failure.message);
  }
  fail_format(directory_ / kManifestName,
              "segment " + record_.name + " has no file of kind '" + std::string(kind) + "'");
}

void SegmentFiles::check_readable() const {
  for (const auto& [kind, failure] : failures_) {
    if (!failure.damage) throw IoError(failure.message);
  }
}

IndexSnapshot IndexSnapshot::of(const std::filesystem::path& directory) {
  IndexSnapshot snapshot{read_manifest(directory), {}};
  for (int attempt = 1;; ++attempt) {
    snapshot.segments.clear();
    for (const SegmentRecord& record : snapshot.manifest.segments) {
      snapshot.segments.emplace_back(directory, record);
    }
    const auto complete = [](const SegmentFiles& files) { return files.complete(); };
    if (attempt == kMaxAttempts || std::ranges::all_of(snapshot.segments, complete)) {
      return snapshot;
    }
    Manifest now = read_manifest(directory);
    if (now.generation == snapshot.manifest.generation) return snapshot;
    snapshot.manifest = std::move(now);
  }
}

}  // namespace gannet::index
