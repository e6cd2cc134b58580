#include "query/postings/window_postings.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <span>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/positions/position_cursor.hpp"
#include "query/phrases/occurrences.hpp"
#include "query/postings/made_list.hpp"

namespace gannet::query {
namespace {

/// Documents whose positions are gathered together: a term's tiles stay decoded meanwhile.
constexpr std::size_t kDocumentsTogether = 256;
constexpr std::uint32_t kNoTile = 0xffffffffu;

/// The positions of one term, in documents that ascend from call to call.
class TermPlaces {
 public:
  TermPlaces(const index::Segment& segment, index::TermId term)
      : stream_(segment, term), cursor_(segment, term, segment.list(term)) {}

  /// Decodes those in `documents`.
  void gather(std::span<const index::Docid> documents) {
    places_.clear();
    ends_.clear();
    for (const index::Docid document : documents) {
      if (stream_.seek(document) && stream_.docid() == document) append(document);
      ends_.push_back(places_.size());
    }
  }
  /// In the i-th of these.
  std::span<const std::uint32_t> in(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(places_).subspan(begin, ends_[i] - begin);
  }

 private:
  void append(index::Docid document) {
    if (stream_.tile() != tile_) {
      tile_ = stream_.tile();
      cursor_.open_tile(tile_, stream_.tile_docids(), stream_.tile_frequencies());
    }
    const std::uint32_t posting = stream_.posting();
    const std::size_t begin = places_.size();
    // Of more occurrences than places the cursor says that they are damaged, before it writes.
    places_.resize(begin + std::min(stream_.frequency(posting), cursor_.span(document)));
    cursor_.decode(posting % codecs::kTile, places_.data() + begin);
  }

  PostingStream stream_;
  index::PositionCursor cursor_;
  std::uint32_t tile_ = kNoTile;
  std::vector<std::uint32_t> places_;
  std::vector<std::size_t> ends_;  ///< by document
};

/// The documents that have all words of a window.
class CommonDocuments {
 public:
  CommonDocuments(const index::Segment& segment, const ListRecipe& recipe) {
    for (std::size_t i = 0; i < recipe.words(); ++i) {
      const auto terms = recipe.word(i);
      if (std::ranges::any_of(seen_,
                              [&](const auto& word) { return std::ranges::equal(word, terms); })) {
        continue;
      }
      seen_.push_back(terms);
      if (terms.size() == 1) {
        words_.emplace_back(segment, terms.front());
      } else {
        const index::TermId any = terms.front();
        unions_.emplace_back(segment, terms, segment.text_of(any), ListRecipe::Kind::kOne);
        words_.emplace_back(unions_.back().list());
      }
    }
    std::ranges::sort(order_of(words_), {},
                      [](const PostingStream* word) { return word->count(); });
  }

  /// Replaces `documents` by the next ones, up to `most`; none if there are no more.
  void next(std::size_t most, std::vector<index::Docid>& documents) {
    documents.clear();
    while (documents.size() < most && !ended_) {
      if (!find()) break;
      documents.push_back(next_);
      ++next_;
    }
  }

 private:
  std::vector<PostingStream*>& order_of(std::deque<PostingStream>& words) {
    for (PostingStream& word : words) order_.push_back(&word);
    return order_;
  }

  /// Moves next_ to a document that all words have: the rarest word is asked first.
  bool find() {
    for (std::size_t agreed = 0; agreed < order_.size();) {
      PostingStream& word = *order_[agreed];
      if (!word.seek(next_)) {
        ended_ = true;
        return false;
      }
      if (word.docid() == next_) {
        ++agreed;
      } else {
        next_ = word.docid();
        agreed = agreed == 0 ? 1 : 0;
      }
    }
    return true;
  }

  std::vector<std::span<const index::TermId>> seen_;
  std::deque<MadeList> unions_;
  std::deque<PostingStream> words_;
  std::vector<PostingStream*> order_;  ///< by ascending length
  index::Docid next_ = 0;
  bool ended_ = false;
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

/// The places of a window's words in documents.
class WindowPlaces {
 public:
  WindowPlaces(const index::Segment& segment, const ListRecipe& recipe) : recipe_(recipe) {
    for (const index::TermId term : recipe.terms) terms_.try_emplace(term, segment, term);
    merged_.resize(recipe.words());
    words_.resize(recipe.words());
  }

  void gather(std::span<const index::Docid> documents) {
    for (auto& [term, places] : terms_) places.gather(documents);
  }

  /// By word, in the i-th of the documents.
  std::span<const std::span<const std::uint32_t>> in(std::size_t i) {
    for (std::size_t w = 0; w < recipe_.words(); ++w) {
      const auto terms = recipe_.word(w);
      words_[w] = terms.size() == 1 ? terms_.at(terms.front()).in(i) : any_of(terms, i, merged_[w]);
    }
    return words_;
  }

 private:
  std::span<const std::uint32_t> any_of(std::span<const index::TermId> terms, std::size_t i,
                                        std::vector<std::uint32_t>& merged) {
    merged.clear();
    for (const index::TermId term : terms) {
      const auto places = terms_.at(term).in(i);
      merged.insert(merged.end(), places.begin(), places.end());
    }
    std::ranges::sort(merged);  // a place has one term, so none is there twice
    return merged;
  }

  const ListRecipe& recipe_;
  std::map<index::TermId, TermPlaces> terms_;
  std::vector<std::vector<std::uint32_t>> merged_;
  std::vector<std::span<const std::uint32_t>> words_;
};

}  // namespace

MadePostings window_postings(const index::Segment& segment, const ListRecipe& recipe) {
  if (segment.positions() == nullptr) {
    throw UsageError(
        "phrases and windows need the positions of words, which the index does not have; build it "
        "anew with them (without --no-positions; in Python with positions=True)");
  }
  MadePostings found;
  CommonDocuments common(segment, recipe);
  WindowPlaces places(segment, recipe);
  WindowCounter counter(recipe.window, groups_of(recipe));
  std::vector<index::Docid> documents;
  for (common.next(kDocumentsTogether, documents); !documents.empty();
       common.next(kDocumentsTogether, documents)) {
    throw_if_stopped();
    places.gather(documents);
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const std::uint32_t count = counter.count(places.in(i));
      if (count == 0) continue;
      found.docids.push_back(documents[i]);
      found.frequencies.push_back(count);
    }
  }
  return found;
}

}  // namespace gannet::query
