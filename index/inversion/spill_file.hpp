// Sorted runs that did not fit in memory: writing, reading and merging them.
//
// A run file holds one record a term, in ascending bytewise order of terms: varint size of the
// term, its bytes, varint number of postings or more, varint size of the fragments, the fragments
// (posting_code.hpp). Run files live in a writer's scratch directory only while an index is built.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/lists/list_source.hpp"

namespace gannet::index {

/// Bytes that a run takes in memory while it is being read.
inline constexpr std::size_t kRunBuffer = std::size_t{128} << 10;

/// Writes all lists of `source` to a new file. `batch_postings` bounds what is in memory at a time.
/// Throws IoError, and CancelledError once `stop` asks for it.
void write_run(FragmentSource& source, const std::filesystem::path& path,
               std::uint64_t batch_postings, const std::stop_token& stop = {});

/// The lists of several runs, merged. Terms that are in several have their fragments joined in the
/// order of the runs, which must be that of their documents.
class MergedRuns final : public FragmentSource {
 public:
  /// Opens the files, whose postings all have positions or none. Throws IoError.
  explicit MergedRuns(const std::vector<std::filesystem::path>& paths, bool with_positions = false);
  ~MergedRuns() override;

  /// Throws IoError.
  bool next(PendingList& list) override;
  void postings(const PendingList& list, ListPostings& postings) const override;
  void fragments(const PendingList& list, std::vector<std::uint8_t>& coded) const override;

 private:
  class Reader;
  void push(std::size_t reader);
  std::size_t pop();
  bool comes_after(std::size_t a, std::size_t b) const;

  bool with_positions_;
  std::vector<std::unique_ptr<Reader>> readers_;
  std::vector<std::size_t> heap_;  ///< readers that are not at their end, the next term on top
};

/// Merges runs, several at a time, until at most `fan_in` (>= 2) are left, and deletes those
/// merged. New files are named by `new_path`. Throws like write_run().
void reduce_runs(std::vector<std::filesystem::path>& runs, std::size_t fan_in,
                 std::uint64_t batch_postings, const std::stop_token& stop,
                 const std::function<std::filesystem::path()>& new_path);

}  // namespace gannet::index
