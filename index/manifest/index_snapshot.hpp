// An index at one moment: its manifest, and all files that it names, mapped.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index/files/mapped_file.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::index {

/// The files of one segment. A writer that replaces the index afterwards changes nothing here.
class SegmentFiles {
 public:
  /// Maps the files that the record names. What cannot be mapped is told by who asks for it.
  SegmentFiles(const std::filesystem::path& directory, const SegmentRecord& record);

  const SegmentRecord& record() const { return record_; }
  /// For who gives it other files: what these are read by.
  SegmentRecord& record() { return record_; }
  std::filesystem::path path_of(std::string_view kind) const;
  /// Throws DamageError if there is no such file, FormatError if the manifest names none, IoError
  /// if it could not be mapped.
  const MappedFile& file(std::string_view kind) const;
  const MappedFile& file(FileKind kind) const { return file(kind.name); }
  bool complete() const { return failures_.empty(); }
  /// Whether a file of this kind was mapped.
  bool has(FileKind kind) const { return files_.contains(kind.name); }
  /// Takes these bytes for the file of this kind from now on.
  void replace(FileKind kind, MappedFile file) {
    files_.insert_or_assign(std::string(kind.name), std::move(file));
  }
  /// Throws IoError if a file could not be mapped just now (it may not be read, or there are too
  /// many open files): it may be whole.
  void check_readable() const;
  /// Throws FormatError unless an open file is the one that the manifest means: a file of another
  /// build has another footer.
  void check_identity(const ContainerReader& opened, FileKind kind) const;

 private:
  /// Why a file could not be mapped.
  struct Failure {
    bool damage;  ///< the index has no such file
    std::string message;
  };
  std::filesystem::path directory_;
  SegmentRecord record_;
  std::map<std::string, MappedFile, std::less<>> files_;
  std::map<std::string, Failure, std::less<>> failures_;
};

struct IndexSnapshot {
  Manifest manifest;
  std::vector<SegmentFiles> segments;

  /// Reads the manifest and maps the files. A writer may replace them between the two steps: then
  /// the manifest has changed, and the new one is tried. Throws IoError, FormatError or
  /// VersionError if the manifest cannot be read.
  static IndexSnapshot of(const std::filesystem::path& directory);
};

}  // namespace gannet::index
