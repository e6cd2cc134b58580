// A list of the records that a build has skipped.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

namespace gannet::tools {

/// Appends a line a record to a file, at once, so that the list is there whatever comes of the
/// build. Any number of threads may add.
class SkippedRecords {
 public:
  /// Opens the file; what was in it stays, for a build may go on. Throws IoError.
  SkippedRecords(std::string path, std::stop_token stop);
  ~SkippedRecords();
  SkippedRecords(const SkippedRecords&) = delete;
  SkippedRecords& operator=(const SkippedRecords&) = delete;

  /// Where the record is, and what is wrong with it. Throws IoError, CancelledError.
  void add(std::string_view problem);

 private:
  std::string path_;
  std::stop_token stop_;
  int descriptor_;
  std::mutex mutex_;
};

}  // namespace gannet::tools
