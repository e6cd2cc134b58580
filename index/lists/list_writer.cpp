#include "index/lists/list_writer.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "index/inversion/rounds.hpp"

namespace gannet::index {
namespace {

/// Lists of which many are encoded by one task: a task costs more than a short list.
constexpr std::size_t kListsPerTask = 16;
/// What a list costs besides its postings, as a number of postings.
constexpr std::uint64_t kWeightOfList = 8;

/// Room for fragments that a list of a round keeps for the next round.
constexpr std::size_t kKeepCoded = 128;

struct Round {
  std::vector<PendingList> lists;
  std::size_t count = 0;  ///< of `lists` in use
  std::vector<EncodedList> encoded;
};

/// Decoded postings of one list; one a thread, reused.
struct Postings {
  std::vector<Docid> docids;
  std::vector<std::uint32_t> freqs;
};

class ListWriter {
 public:
  ListWriter(ListSource& source, IndexWriter& writer, std::uint64_t round_weight)
      : source_(source), writer_(writer), round_weight_(round_weight) {}

  bool take(Round& round) {
    std::uint64_t weight = 0;
    for (round.count = 0; weight < round_weight_; ++round.count) {
      if (round.count == round.lists.size()) round.lists.emplace_back();
      if (!source_.next(round.lists[round.count])) break;
      weight += round.lists[round.count].weight + kWeightOfList;
    }
    return round.count > 0;
  }

  void encode(Round& round) {
    round.encoded.resize(round.count);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, round.count, kListsPerTask),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i != range.end(); ++i) {
                          round.encoded[i] = encode(round.lists[i]);
                        }
                      });
  }

  void write(Round& round) {
    for (EncodedList& list : round.encoded) {
      if (list.row.empty()) continue;  // no postings
      writer_.add_list(list);
    }
    round.encoded.clear();
  }

 private:
  EncodedList encode(PendingList& list) {
    Postings& postings = postings_.local();
    source_.postings(list, postings.docids, postings.freqs);
    if (list.coded.capacity() > kKeepCoded) list.coded = {};
    EncodedList encoded;
    if (!postings.docids.empty()) {
      encoded =
          encode_list(std::move(list.term), postings.docids, postings.freqs,
                      writer_.document_lengths(), writer_.docid_codec(), writer_.freq_codec());
    }
    if (list.weight > round_weight_) postings = {};
    return encoded;
  }

  ListSource& source_;
  IndexWriter& writer_;
  std::uint64_t round_weight_;
  tbb::enumerable_thread_specific<Postings> postings_;
};

}  // namespace

void write_lists(ListSource& source, IndexWriter& writer, std::uint64_t round_weight,
                 const std::function<void(std::uint64_t)>& on_lists) {
  ListWriter lists(source, writer, round_weight);
  std::vector<Round> rounds(3);
  std::uint64_t done = 0;
  in_rounds(
      rounds, [&](Round& round) { return lists.take(round); },
      [&](Round& round) { lists.encode(round); },
      [&](Round& round) {
        lists.write(round);
        on_lists(done += round.count);
      });
}

}  // namespace gannet::index
