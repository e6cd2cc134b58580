// Random inverted collections for the tests of index files: made, written, and compared with what
// was read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/index.hpp"
#include "index/index_writer.hpp"
#include "index/lists/bound_code.hpp"

namespace gannet::test {

struct Postings {
  std::vector<index::Docid> docids;
  std::vector<std::uint32_t> freqs;
  bool operator==(const Postings&) const = default;
};

struct Collection {
  std::vector<std::string> ids;    ///< empty: no ids
  std::vector<std::string> texts;  ///< empty: none stored
  std::vector<std::uint32_t> lengths;
  std::map<std::string, Postings> lists;
};

/// `documents` documents and about `terms` terms whose lists have all lengths from 1 to
/// `documents`.
inline Collection random_collection(std::uint32_t documents, std::size_t terms, unsigned seed,
                                    bool with_ids = true, bool with_texts = false) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  Collection collection;
  for (std::uint32_t i = 0; i < documents; ++i) {
    collection.lengths.push_back(random() % 1000);
    if (with_ids) collection.ids.push_back("doc-" + std::to_string(random()));
    if (with_texts) collection.texts.push_back(std::string(random() % 500, char('a' + i % 26)));
  }
  for (std::size_t t = 0; t < terms; ++t) {
    Postings postings;
    const double share =
        std::pow(documents + 1.0, static_cast<double>(random() % 1000) / 1000) / documents;
    std::bernoulli_distribution takes(std::min(share, 1.0));
    for (index::Docid docid = 0; docid < documents; ++docid) {
      if (!takes(engine)) continue;
      postings.docids.push_back(docid);
      postings.freqs.push_back(random() % 8 != 0 ? 1 : 1 + random() % (1u << random() % 20));
    }
    if (!postings.docids.empty())
      collection.lists["t" + std::to_string(random() % 100000)] = postings;
  }
  return collection;
}

inline void add_documents(index::IndexWriter& writer, const Collection& collection) {
  for (std::size_t i = 0; i < collection.lengths.size(); ++i) {
    writer.add_document(collection.ids.empty() ? "" : collection.ids[i], collection.lengths[i],
                        collection.texts.empty() ? "" : collection.texts[i]);
  }
}

inline void add_lists(index::IndexWriter& writer, const Collection& collection) {
  for (const auto& [term, postings] : collection.lists) {
    writer.add_list(index::encode_list(term, postings.docids, postings.freqs,
                                       writer.document_lengths(), writer.docid_codec(),
                                       writer.freq_codec()));
  }
}

inline index::Statistics write_index(const std::filesystem::path& directory,
                                     const Collection& collection,
                                     index::WriteOptions options = {}) {
  options.store_text = !collection.texts.empty();
  options.positions = false;
  index::IndexWriter writer(directory, options);
  add_documents(writer, collection);
  add_lists(writer, collection);
  return writer.commit();
}

/// What the postings of one list of a segment are.
inline Postings decode(const index::Segment& segment, index::TermId id) {
  const index::PostingList list = segment.list(id);
  Postings postings{std::vector<index::Docid>(list.count), std::vector<std::uint32_t>(list.count)};
  list.decode_docids(postings.docids.data());
  list.decode_frequencies(postings.freqs.data());
  return postings;
}

inline void expect_bounds(const index::PostingList& list, const Postings& postings,
                          std::span<const std::uint32_t> lengths) {
  for (std::uint32_t tile = 0; tile < list.skips.size(); ++tile) {
    std::uint32_t max_freq = 0;
    std::uint32_t min_length = ~0u;
    const std::size_t first = std::size_t{tile} * codecs::kTile;
    const std::size_t end = first + codecs::tile_size(list.count, tile);
    for (std::size_t i = first; i < end; ++i) {
      max_freq = std::max(max_freq, postings.freqs[i]);
      min_length = std::min(min_length, lengths[postings.docids[i]]);
    }
    EXPECT_EQ(list.skips[tile], postings.docids[end - 1]);
    const std::uint32_t max_bound = index::number_of_bound(list.max_freqs[tile]);
    EXPECT_GE(max_bound, max_freq);
    EXPECT_LE(max_bound, max_freq < 2048 ? max_freq : max_freq + max_freq / 1000);
    const std::uint32_t min_bound = index::number_of_bound(list.min_lengths[tile]);
    EXPECT_LE(min_bound, min_length);
    EXPECT_GE(min_bound, min_length < 2048 ? min_length : min_length - min_length / 1000);
  }
}

/// Expects the one segment of `index` to hold exactly `collection`.
inline void expect_holds(const index::Index& index, const Collection& collection) {
  ASSERT_EQ(index.segments().size(), 1u);
  const index::Segment& segment = *index.segments().front();
  ASSERT_EQ(segment.statistics().documents, collection.lengths.size());
  ASSERT_EQ(segment.statistics().terms, collection.lists.size());
  std::uint64_t tokens = 0;
  for (std::size_t i = 0; i < collection.lengths.size(); ++i) {
    const auto docid = static_cast<index::Docid>(i);
    tokens += collection.lengths[i];
    EXPECT_EQ(segment.document_lengths()[i], collection.lengths[i]);
    EXPECT_EQ(segment.document_id(docid),
              collection.ids.empty() ? std::to_string(i) : collection.ids[i]);
    const auto text = segment.stored_text(docid);
    EXPECT_EQ(text.has_value(), !collection.texts.empty());
    if (text) {
      EXPECT_EQ(*text, collection.texts[i]);
    }
  }
  EXPECT_EQ(segment.statistics().tokens, tokens);
  std::uint64_t all_postings = 0;
  index::TermId id = 0;
  for (const auto& [term, postings] : collection.lists) {
    EXPECT_EQ(segment.find(term), id);
    EXPECT_EQ(segment.term(id), term);
    EXPECT_EQ(decode(segment, id), postings) << term;
    std::uint64_t frequency = 0;
    for (const std::uint32_t freq : postings.freqs) frequency += freq;
    EXPECT_EQ(segment.collection_frequency(id), frequency);
    expect_bounds(segment.list(id), postings, collection.lengths);
    all_postings += postings.docids.size();
    ++id;
  }
  EXPECT_EQ(segment.statistics().postings, all_postings);
}

}  // namespace gannet::test
