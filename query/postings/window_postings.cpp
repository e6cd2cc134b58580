#include "query/postings/window_postings.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <span>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/positions/position_cursor.hpp"
#include "query/phrases/occurrences.hpp"
#include "query/postings/exact_phrase.hpp"
#include "query/postings/made_list.hpp"

namespace gannet::query {
namespace {

constexpr std::uint32_t kNoTile = 0xffffffffu;
/// Documents between two looks at the stop token.
constexpr std::uint32_t kDocumentsPerLook = 4096;

/// The documents of one term, and its places in them.
class TermPlaces {
 public:
  TermPlaces(const index::Segment& segment, index::TermId term)
      : stream_(segment, term), cursor_(segment, term, segment.list(term)) {}

  PostingStream& stream() { return stream_; }

  /// Those in a document, to which the stream goes; documents ascend from call to call. None if it
  /// lacks the term. Valid until the next call.
  std::span<const std::uint32_t> in(index::Docid document) {
    if (!stream_.seek(document) || stream_.docid() != document) return {};
    if (stream_.tile() != tile_) {
      tile_ = stream_.tile();
      cursor_.open_tile(tile_, stream_.tile_docids(), stream_.tile_frequencies());
    }
    const std::uint32_t posting = stream_.posting();
    cursor_.check(posting % codecs::kTile);  // before room is made for what a damaged file says
    const std::uint32_t size = stream_.frequency(posting);
    if (places_.size() < size) places_.resize(size);
    cursor_.decode(posting % codecs::kTile, places_.data());
    return std::span(places_).first(size);
  }

 private:
  PostingStream stream_;
  index::PositionCursor cursor_;
  std::uint32_t tile_ = kNoTile;
  std::vector<std::uint32_t> places_;
};

/// For each word the first one with which it shares a term, directly or through others.
std::vector<std::uint8_t> groups_of(const ListRecipe& recipe) {
  std::vector<std::uint8_t> groups;
  std::map<index::TermId, std::uint8_t> first;  // word that has the term
  for (std::size_t i = 0; i < recipe.words(); ++i) {
    groups.push_back(static_cast<std::uint8_t>(i));
    for (const index::TermId term : recipe.word(i)) {
      const std::uint8_t other = groups[first.try_emplace(term, groups[i]).first->second];
      const std::uint8_t own = groups[i];
      for (std::uint8_t& group : groups) {
        if (group == std::max(own, other)) group = std::min(own, other);
      }
    }
  }
  return groups;
}

/// The documents that have all words of a window, one after the other, and the words' places there.
class CommonDocuments {
 public:
  CommonDocuments(const index::Segment& segment, const ListRecipe& recipe) : recipe_(recipe) {
    std::map<index::TermId, std::uint32_t> numbers;
    for (const index::TermId term : recipe.terms) {
      const auto next = static_cast<std::uint32_t>(terms_.size());
      const auto [entry, is_new] = numbers.try_emplace(term, next);
      if (is_new) terms_.emplace_back(segment, term);
      numbers_.push_back(entry->second);
    }
    found_.resize(terms_.size());
    for (std::size_t i = 0; i < recipe.words(); ++i) add_word(segment, i);
    std::ranges::sort(order_, {}, [](const PostingStream* word) { return word->count(); });
    merged_.resize(recipe.words());
    places_.resize(recipe.words());
  }

  /// The next document that all words have; nothing if there is none. The rarest word is asked
  /// first.
  std::optional<index::Docid> next() {
    for (std::size_t agreed = 0; agreed < order_.size();) {
      check_stop_();
      PostingStream& word = *order_[agreed];
      if (!word.seek(next_)) return std::nullopt;
      if (word.docid() == next_) {
        ++agreed;
      } else {
        next_ = word.docid();
        agreed = agreed == 0 ? 1 : 0;
      }
    }
    return next_++;
  }

  /// By word, in the document that next() gave; valid until the next call.
  std::span<const std::span<const std::uint32_t>> places(index::Docid document) {
    for (std::size_t t = 0; t < terms_.size(); ++t) found_[t] = terms_[t].in(document);
    for (std::size_t i = 0; i < recipe_.words(); ++i) {
      const auto terms = terms_of(i);
      places_[i] = terms.size() == 1 ? found_[terms.front()] : merge(terms, merged_[i]);
    }
    return places_;
  }

 private:
  /// The numbers in terms_ of the terms that a word may be.
  std::span<const std::uint32_t> terms_of(std::size_t word) const {
    const std::size_t begin = word == 0 ? 0 : recipe_.ends[word - 1];
    return std::span(numbers_).subspan(begin, recipe_.ends[word] - begin);
  }

  void add_word(const index::Segment& segment, std::size_t i) {
    const auto terms = recipe_.word(i);
    for (std::size_t before = 0; before < i; ++before) {
      if (std::ranges::equal(recipe_.word(before), terms)) return;
    }
    if (terms.size() == 1) {
      order_.push_back(&terms_[terms_of(i).front()].stream());
      return;
    }
    unions_.emplace_back(segment, terms, segment.text_of(terms.front()), ListRecipe::Kind::kOne);
    of_unions_.emplace_back(unions_.back().list());
    order_.push_back(&of_unions_.back());
  }

  std::span<const std::uint32_t> merge(std::span<const std::uint32_t> terms,
                                       std::vector<std::uint32_t>& merged) const {
    merged.clear();
    for (const std::uint32_t term : terms) {
      const auto places = found_[term];
      merged.insert(merged.end(), places.begin(), places.end());
    }
    std::ranges::sort(merged);  // a place has one term, so none is there twice
    return merged;
  }

  const ListRecipe& recipe_;
  std::deque<TermPlaces> terms_;        ///< each once
  std::vector<std::uint32_t> numbers_;  ///< for each of the recipe's: its number in terms_
  std::vector<std::span<const std::uint32_t>> found_;  ///< by term, in the current document
  std::deque<MadeList> unions_;                        ///< of words with several terms
  std::deque<PostingStream> of_unions_;
  std::vector<PostingStream*> order_;  ///< of the words, by ascending length
  index::Docid next_ = 0;
  StopCheck check_stop_;
  std::vector<std::vector<std::uint32_t>> merged_;  ///< by word
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
  std::uint32_t looked_at = 0;
  while (const auto document = common.next()) {
    if (++looked_at % kDocumentsPerLook == 0) throw_if_stopped();
    const std::uint32_t count = counter.count(common.places(*document));
    if (count == 0) continue;
    found.docids.push_back(*document);
    found.frequencies.push_back(count);
  }
  return found;
}

}  // namespace gannet::query
