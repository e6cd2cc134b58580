// A list of the records that a build has skipped.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

namespace gannet::tools {

/// What becomes of a file that is there already.
enum class OldList {
  kRefuse,   ///< unless it is empty
  kReplace,  ///< is emptied by begin()
  kAppend,   ///< a build that was interrupted goes on
};

/// Appends a line a record to a file, at once, so that the list is there whatever comes of the
/// build. A list that is to be replaced stays until begin(): a command line that is wrong costs
/// nothing. Any number of threads may add.
class SkippedRecords {
 public:
  /// Opens the file; pipes and devices are written to as they are. Throws UsageError for a file
  /// that is refused, IoError.
  SkippedRecords(std::string path, OldList old, std::stop_token stop);
  ~SkippedRecords();
  SkippedRecords(const SkippedRecords&) = delete;
  SkippedRecords& operator=(const SkippedRecords&) = delete;

  /// Where the record is, and what is wrong with it. Throws IoError, CancelledError.
  void add(std::string_view problem);

  /// Input and output are open: the old list goes, and what was added is written. Later calls do
  /// nothing. The destructor does this where no exception is on its way. `empties`: false where
  /// another process has emptied the file. Throws what add() throws.
  void begin(bool empties = true);

 private:
  std::string path_;
  std::stop_token stop_;
  int descriptor_;
  std::mutex mutex_;
  bool waits_;        ///< for begin()
  std::string held_;  ///< lines, until then
  int exceptions_;    ///< on their way when this was made
};

}  // namespace gannet::tools
