// The directory that an index is written to: made, locked, and tidied up behind the writer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "index/manifest/directory_lock.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::index {

struct OutputOptions {
  bool overwrite = false;
  bool append = false;                           ///< to the index that is there
  std::shared_ptr<DirectoryLock> lock = {};      ///< if the caller holds it already
  std::optional<std::uint64_t> generation = {};  ///< that the index must have
  double lock_wait = 0;                          ///< DirectoryLock's
  std::stop_token stop = {};                     ///< ends waiting with CancelledError
};

/// The directory, created if it is missing, locked, and free of leftovers. Destroyed before keep(),
/// a directory that was created is removed again. Not thread-safe.
class OutputDirectory {
 public:
  /// Throws UsageError for a directory that must not be written to, or is being written to,
  /// IoError.
  OutputDirectory(std::filesystem::path directory, const OutputOptions& options);
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  /// Throws IoError if another writer was here since this one began.
  void check_unchanged() const { check_generation(replaced_ ? replaced_->generation : 0); }
  /// Of the index that is there now; 0 if there is none, or it is damaged. Throws IoError.
  std::uint64_t generation_now() const;

  /// The directory holds an index: it stays, and so does its name.
  void keep();
  /// Removes what the index that `current` describes does not need, but nothing if the lock was
  /// removed: then it may be another writer's. Throws IoError.
  void remove_unused(const std::optional<Manifest>& current) const;
  const std::filesystem::path& path() const { return directory_; }
  /// The builder's temporary files go there.
  std::filesystem::path scratch() const;
  /// The manifest that was there before; nothing if there was none, or a damaged one.
  const std::optional<Manifest>& replaced() const { return replaced_; }

 private:
  void check(const OutputOptions& options) const;
  std::shared_ptr<DirectoryLock> lock_of(const OutputOptions& options);
  void make_scratch() const;
  bool may_hold_index() const noexcept;
  void check_generation(std::uint64_t generation) const;

  std::filesystem::path directory_;
  std::shared_ptr<DirectoryLock> lock_;
  std::optional<Manifest> replaced_;
  std::vector<std::filesystem::path>
      created_;  ///< this directory and those above it that were missing
  bool kept_ = false;
};

}  // namespace gannet::index
