#include "index/commit/list_writer.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "codecs/base/cancellation.hpp"
#include "index/work/pipeline.hpp"

namespace gannet::index {
namespace {

/// Lists of which many are encoded by one task: a task costs more than a short list.
constexpr std::size_t kListsPerTask = 16;
/// What a list costs besides its postings, as a number of postings.
constexpr std::uint64_t kPostingsOfList = 8;

/// Room for fragments that a list of a batch keeps for the next batch.
constexpr std::size_t kKeepCoded = 128;

struct ListBatch {
  std::vector<PendingList> lists;
  std::size_t count = 0;  ///< of `lists` in use
  std::vector<EncodedList> encoded;
};

class ListWriter {
 public:
  ListWriter(ListSource& source, IndexWriter& writer, std::uint64_t batch_postings,
             const std::stop_token& stop)
      : source_(source), writer_(writer), batch_postings_(batch_postings), stop_(stop) {}

  bool take(ListBatch& batch) {
    std::uint64_t postings = 0;
    for (batch.count = 0; postings < batch_postings_; ++batch.count) {
      if (batch.count == batch.lists.size()) batch.lists.emplace_back();
      if (!source_.next(batch.lists[batch.count])) break;
      postings += batch.lists[batch.count].max_values + kPostingsOfList;
    }
    return batch.count > 0;
  }

  void encode(ListBatch& batch) {
    batch.encoded.resize(batch.count);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.count, kListsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        const StopScope scope(stop_);
                        for (std::size_t i = range.begin(); i != range.end(); ++i) {
                          batch.encoded[i] = encode(batch.lists[i]);
                        }
                      });
  }

  void write(ListBatch& batch) {
    for (EncodedList& list : batch.encoded) {
      if (list.row.empty()) continue;  // no postings
      writer_.add_list(list);
    }
    batch.encoded.clear();
  }

 private:
  EncodedList encode(PendingList& list) {
    throw_if_stopped(stop_);
    ListPostings& postings = postings_.local();
    source_.postings(list, postings);
    if (list.coded.capacity() > kKeepCoded) list.coded = {};
    EncodedList encoded;
    if (!postings.docids.empty()) {
      const auto lengths = writer_.lengths_for(list.term);
      ListPositions positions;
      if (writer_.has_positions()) positions = {postings.positions, writer_.spans_for(list.term)};
      encoded = encode_list(std::move(list.term), postings.docids, postings.freqs, lengths,
                            writer_.docid_codec(), writer_.freq_codec(), positions);
    }
    if (list.max_values > batch_postings_) postings = {};
    return encoded;
  }

  ListSource& source_;
  IndexWriter& writer_;
  std::uint64_t batch_postings_;
  const std::stop_token& stop_;
  tbb::enumerable_thread_specific<ListPostings> postings_;  ///< decoded, reused
};

}  // namespace

void write_lists(ListSource& source, IndexWriter& writer, std::uint64_t batch_postings,
                 const std::stop_token& stop, const std::function<void(std::uint64_t)>& on_lists) {
  ListWriter lists(source, writer, batch_postings, stop);
  std::vector<ListBatch> batches(3);
  std::uint64_t done = 0;
  for_batches(
      batches, stop, [&](ListBatch& batch) { return lists.take(batch); },
      [&](ListBatch& batch) { lists.encode(batch); },
      [&](ListBatch& batch) {
        lists.write(batch);
        on_lists(done += batch.count);
      });
}

}  // namespace gannet::index
