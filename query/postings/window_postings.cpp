#include "query/postings/window_postings.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/positions/position_cursor.hpp"
#include "query/phrases/occurrences.hpp"
#include "query/phrases/window_groups.hpp"
#include "query/postings/exact_phrase.hpp"
#include "query/postings/union_walk.hpp"

namespace gannet::query {
namespace {

constexpr std::uint32_t kNoTile = 0xffffffffu;
constexpr index::Docid kNoDocument = 0xffffffffu;
/// Places that are counted between two looks at the stop token.
constexpr std::uint64_t kPlacesPerLook = std::uint64_t{1} << 16;

/// The documents of one term, and its places in them.
class TermPlaces {
 public:
  TermPlaces(const index::Segment& segment, index::TermId term)
      : stream_(segment, term), cursor_(segment, term, segment.list(term)) {}

  PostingStream& stream() { return stream_; }

  /// Those in the document that the stream is at. Valid until the stream was moved and this called.
  std::span<const std::uint32_t> here() {
    const index::Docid document = stream_.docid();
    if (document == document_) return std::span(places_).first(size_);
    if (stream_.tile() != tile_) {
      tile_ = stream_.tile();
      cursor_.open_tile(tile_, stream_.tile_docids(), stream_.tile_frequencies());
    }
    const std::uint32_t posting = stream_.posting();
    cursor_.check(posting % codecs::kTile);  // before room is made for what a damaged file says
    size_ = stream_.frequency(posting);
    if (places_.size() < size_) places_.resize(size_);
    cursor_.decode(posting % codecs::kTile, places_.data());
    document_ = document;
    return std::span(places_).first(size_);
  }

 private:
  PostingStream stream_;
  index::PositionCursor cursor_;
  std::uint32_t tile_ = kNoTile;
  index::Docid document_ = kNoDocument;  ///< of which the places were decoded
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> places_;
};

/// The documents of a word, which may be any of several terms, and its places in them.
class WordDocuments {
 public:
  explicit WordDocuments(std::vector<TermPlaces*> terms)
      : terms_(std::move(terms)), walk_(streams_of(terms_)) {}

  UnionWalk& walk() { return walk_; }

  /// The word's places in the document that the walk is at; valid until the next call.
  std::span<const std::uint32_t> places() {
    if (terms_.size() == 1) return terms_.front()->here();
    merged_.clear();
    walk_.for_each_here([&](std::uint32_t term) {
      const auto own = terms_[term]->here();
      merged_.insert(merged_.end(), own.begin(), own.end());
    });
    std::ranges::sort(merged_);  // a place has one term, so none is there twice
    return merged_;
  }

 private:
  static std::vector<PostingStream*> streams_of(const std::vector<TermPlaces*>& terms) {
    std::vector<PostingStream*> streams;
    for (TermPlaces* const term : terms) streams.push_back(&term->stream());
    return streams;
  }

  std::vector<TermPlaces*> terms_;
  UnionWalk walk_;
  std::vector<std::uint32_t> merged_;
};

/// Empty for phrases, whose words are at different places.
std::vector<std::uint8_t> groups_of(const ListRecipe& recipe) {
  if (recipe.window.is_exact()) return {};
  std::vector<std::vector<std::uint32_t>> terms;
  for (std::size_t i = 0; i < recipe.words(); ++i) {
    terms.emplace_back(recipe.word(i).begin(), recipe.word(i).end());
  }
  return window_groups(terms);
}

/// The documents that have all words of a window, one after the other, and the words' places there.
class CommonDocuments {
 public:
  CommonDocuments(const index::Segment& segment, const ListRecipe& recipe) {
    std::map<index::TermId, TermPlaces*> known;
    for (std::size_t i = 0; i < recipe.words(); ++i) {
      std::size_t same = 0;
      while (!std::ranges::equal(recipe.word(same), recipe.word(i))) ++same;
      if (same < i) {
        words_.push_back(words_[same]);
        continue;
      }
      std::vector<TermPlaces*> terms;
      for (const index::TermId term : recipe.word(i)) {
        TermPlaces*& places = known[term];
        if (places == nullptr) places = &terms_.emplace_back(segment, term);
        terms.push_back(places);
      }
      words_.push_back(&distinct_.emplace_back(std::move(terms)));
      order_.push_back(&words_.back()->walk());
    }
    std::ranges::stable_sort(order_, {}, [](const UnionWalk* word) { return word->postings(); });
    places_.resize(words_.size());
  }

  /// Moves to the next document that all words have; false if there is none. The rarest word is
  /// asked first.
  bool next() {
    for (std::size_t agreed = 0; agreed < order_.size();) {
      check_stop_();
      UnionWalk& word = *order_[agreed];
      if (!word.seek(next_)) return false;
      if (word.docid() == next_) {
        ++agreed;
      } else {
        next_ = word.docid();
        agreed = agreed == 0 ? 1 : 0;
      }
    }
    document_ = next_++;
    return true;
  }

  index::Docid document() const { return document_; }
  /// By word, in document(); valid until the next call.
  std::span<const std::span<const std::uint32_t>> places() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      check_stop_();
      places_[i] = words_[i]->places();
    }
    return places_;
  }

 private:
  std::deque<TermPlaces> terms_;        ///< each once, whatever words may be it
  std::deque<WordDocuments> distinct_;  ///< words with different terms
  std::vector<WordDocuments*> words_;   ///< of the window
  std::vector<UnionWalk*> order_;       ///< of the different words, by ascending length
  index::Docid next_ = 0;
  index::Docid document_ = 0;
  StopCheck check_stop_;
  std::vector<std::span<const std::uint32_t>> places_;
};

}  // namespace

MadePostings window_postings(const index::Segment& segment, const ListRecipe& recipe) {
  if (segment.positions() == nullptr) {
    throw UsageError(
        "phrases and windows need the positions of words, which the index does not have; build it "
        "anew with them (without --no-positions; in Python with positions=True)");
  }
  if (is_exact_phrase(recipe)) return exact_phrase_postings(segment, recipe);
  MadePostings found;
  CommonDocuments common(segment, recipe);
  WindowCounter counter(recipe.window, groups_of(recipe));
  std::uint64_t places = 0;
  while (common.next()) {
    const auto words = common.places();
    for (const auto& word : words) places += word.size();
    if (places >= kPlacesPerLook) {
      throw_if_stopped();
      places = 0;
    }
    const std::uint32_t count = counter.count(words);
    if (count == 0) continue;
    found.docids.push_back(common.document());
    found.frequencies.push_back(count);
  }
  return found;
}

}  // namespace gannet::query
