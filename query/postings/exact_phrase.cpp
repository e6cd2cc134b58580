#include "query/postings/exact_phrase.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/positions/position_cursor.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

constexpr std::uint32_t kNotOpened = 0xffffffffu;
/// Places that are read between two looks at the stop token.
constexpr std::uint64_t kPlacesBetweenLooks = std::uint64_t{1} << 16;

/// A term of the phrase.
class PhraseTerm {
 public:
  PhraseTerm(const index::Segment& segment, index::TermId term)
      : stream_(segment, term), cursor_(segment, term, segment.list(term)) {}

  PostingStream& stream() { return stream_; }

  /// In the document that the stream is at.
  std::uint32_t frequency() { return stream_.frequency(stream_.posting()); }

  /// Its places there that are not below `offset`, less the offset.
  void begins(std::uint32_t offset, std::vector<std::uint32_t>& begins) {
    const std::uint32_t posting = open();
    cursor_.check(posting);  // before room is made for what a damaged file says
    begins.resize(frequency());
    cursor_.decode(posting, begins.data());
    const auto first = std::ranges::lower_bound(begins, offset);
    begins.erase(begins.begin(), first);
    for (std::uint32_t& begin : begins) begin -= offset;
  }

  /// Keeps those that it stands `offset` behind.
  void keep(std::uint32_t offset, std::vector<std::uint32_t>& begins) {
    begins.resize(cursor_.keep(open(), offset, begins));
  }

 private:
  /// Opens the tile; the posting's number in it.
  std::uint32_t open() {
    if (stream_.tile() != tile_) {
      tile_ = stream_.tile();
      cursor_.open_tile(tile_, stream_.tile_docids(), stream_.tile_frequencies());
    }
    return stream_.posting() % codecs::kTile;
  }

  PostingStream stream_;
  index::PositionCursor cursor_;
  std::uint32_t tile_ = kNotOpened;
};

class ExactPhrase {
 public:
  ExactPhrase(const index::Segment& segment, const ListRecipe& recipe) {
    std::map<index::TermId, PhraseTerm*> known;
    for (std::size_t i = 0; i < recipe.words(); ++i) {
      PhraseTerm*& term = known[recipe.terms[i]];
      if (term == nullptr) {
        term = &terms_.emplace_back(segment, recipe.terms[i]);
        order_.push_back(&term->stream());
      }
      words_.push_back({term, recipe.window.places[i], 0});
    }
    std::ranges::sort(order_, {}, [](const PostingStream* term) { return term->count(); });
  }

  /// Goes to the next document that all terms have; false if there is none. The rarest term is
  /// asked first.
  bool next() {
    for (std::size_t agreed = 0; agreed < order_.size();) {
      check_stop_();
      PostingStream& term = *order_[agreed];
      if (!term.seek(next_)) return false;
      if (term.docid() == next_) {
        ++agreed;
      } else {
        next_ = term.docid();
        agreed = agreed == 0 ? 1 : 0;
      }
    }
    ++next_;
    return true;
  }

  index::Docid document() const { return next_ - 1; }

  /// How often the phrase occurs in the document.
  std::uint32_t count() {
    for (Word& word : words_) word.frequency = word.term->frequency();
    std::ranges::sort(words_, {}, &Word::frequency);
    look_at_stop(words_.front());
    words_.front().term->begins(words_.front().offset, begins_);
    for (std::size_t i = 1; i < words_.size() && !begins_.empty(); ++i) {
      look_at_stop(words_[i]);
      words_[i].term->keep(words_[i].offset, begins_);
    }
    return static_cast<std::uint32_t>(begins_.size());
  }

 private:
  struct Word {
    PhraseTerm* term;
    std::uint32_t offset;
    std::uint32_t frequency;  ///< in the document
  };

  void look_at_stop(const Word& word) {
    places_ += word.frequency;
    if (places_ < kPlacesBetweenLooks) return;
    throw_if_stopped();
    places_ = 0;
  }

  std::uint64_t places_ = 0;           ///< since the last look at the stop token
  std::deque<PhraseTerm> terms_;       ///< each once
  std::vector<PostingStream*> order_;  ///< theirs, by ascending length
  std::vector<Word> words_;
  std::vector<std::uint32_t> begins_;  ///< places where the phrase may begin
  index::Docid next_ = 0;
  StopCheck check_stop_;
};

}  // namespace

bool is_exact_phrase(const ListRecipe& recipe) {
  return recipe.kind == ListRecipe::Kind::kWindow && recipe.window.is_exact() &&
         recipe.terms.size() == recipe.words();
}

MadePostings exact_phrase_postings(const index::Segment& segment, const ListRecipe& recipe) {
  MadePostings found;
  ExactPhrase phrase(segment, recipe);
  while (phrase.next()) {
    const std::uint32_t count = phrase.count();
    if (count == 0) continue;
    found.docids.push_back(phrase.document());
    found.frequencies.push_back(count);
  }
  return found;
}

}  // namespace gannet::query
