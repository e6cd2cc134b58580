// The parts of a segment: bounds in 16 bits, front-coded strings, the list table.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "index/index_writer.hpp"
#include "index/lexicon/front_coding.hpp"
#include "index/lexicon/lexicon.hpp"
#include "index/lists/bound_code.hpp"
#include "index/lists/list_table.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::Collection;
using test::random_collection;
using test::TemporaryDirectory;

TEST(BoundCode, IsSafeMonotoneAndClose) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t value = 0; value < 5000; ++value) values.push_back(value);
  for (std::uint32_t bit = 13; bit < 32; ++bit) {
    for (std::uint32_t i = 0; i < 5; ++i) values.push_back((1u << bit) + i - 2);
  }
  values.insert(values.end(), {~0u - 1, ~0u});
  std::uint16_t below = 0;
  std::uint16_t above = 0;
  for (const std::uint32_t value : values) {
    const std::uint32_t low = number_of_bound(bound_not_above(value));
    const std::uint32_t high = number_of_bound(bound_not_below(value));
    EXPECT_LE(low, value);
    EXPECT_GE(high, value);
    if (value < 2048) {
      EXPECT_EQ(low, high);
    }
    EXPECT_LE(value - low, value / 1024) << value;
    EXPECT_LE(high - value, value / 1024) << value;
    EXPECT_GE(bound_not_above(value), below);
    EXPECT_GE(bound_not_below(value), above);
    below = bound_not_above(value);
    above = bound_not_below(value);
  }
}

/// Strings in a container file of their own.
class FrontCodedStrings : public ::testing::Test {
 protected:
  static constexpr Tag kText{"TERM"};
  static constexpr Tag kOffsets{"TBLK"};

  void write(const std::vector<std::string>& strings) {
    ContainerWriter file(path_, kLexiconFile);
    FrontCodingWriter writer(directory_.path());
    file.begin_section(kText);
    for (const std::string& text : strings) writer.add(file, text);
    writer.finish(file, kOffsets);
    file.finish();
    file.publish();
  }

  TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "strings";
};

std::vector<std::string> random_strings(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::set<std::string> strings;
  while (strings.size() < count) {
    std::string text(random() % 4 == 0 ? random() % 60 : random() % 6, 'a');
    for (char& c : text)
      c = static_cast<char>(random() % 8 == 0 ? random() % 256 : 'a' + random() % 3);
    strings.insert(text);
  }
  return {strings.begin(), strings.end()};
}

TEST_F(FrontCodedStrings, AreFoundWalkedAndCounted) {
  for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 32u, 1000u}) {
    const std::vector<std::string> strings = random_strings(count, 3);
    write(strings);
    const ContainerReader file(path_, kLexiconFile);
    const FrontCoded coded(file, kText, kOffsets, strings.size());
    for (std::size_t i = 0; i < strings.size(); ++i) {
      EXPECT_EQ(coded.at(i), strings[i]);
      EXPECT_EQ(coded.find(strings[i]), i);
      // The first lookups go another way.
      EXPECT_EQ(FrontCoded(file, kText, kOffsets, strings.size()).find(strings[i]), i);
    }
    for (const std::string& other : random_strings(300, 4)) {
      const auto place = std::lower_bound(strings.begin(), strings.end(), other);
      const bool found = place != strings.end() && *place == other;
      EXPECT_EQ(coded.lower_bound(other), static_cast<std::uint64_t>(place - strings.begin()));
      EXPECT_EQ(coded.find(other).has_value(), found);
      const FrontCoded fresh(file, kText, kOffsets, strings.size());
      EXPECT_EQ(fresh.lower_bound(other), coded.lower_bound(other));
    }
    for (const std::size_t first : {std::size_t{0}, count / 3, count}) {
      FrontCoded::Cursor cursor(coded, first);
      for (std::size_t i = first; i < count; ++i) {
        ASSERT_TRUE(cursor.next());
        EXPECT_EQ(cursor.text(), strings[i]);
        EXPECT_EQ(cursor.number(), i);
      }
      EXPECT_FALSE(cursor.next());
    }
  }
}

/// A damaged block is an error for those lookups that come by it, however many there were before.
TEST_F(FrontCodedStrings, TellOfDamageWhereverItIsMet) {
  const std::vector<std::string> strings = random_strings(1000, 5);
  write(strings);
  std::vector<std::uint8_t> text;
  std::vector<std::uint64_t> offsets;
  {
    const ContainerReader sound(path_, kLexiconFile);
    const auto bytes = sound.section<std::uint8_t>(kText);
    const auto blocks = sound.section<std::uint64_t>(kOffsets);
    text.assign(bytes.begin(), bytes.end());
    offsets.assign(blocks.begin(), blocks.end());
  }
  text[static_cast<std::size_t>(offsets[20])] = 0xff;  // a head that is longer than its block
  ContainerWriter damaged(path_, kLexiconFile);
  damaged.begin_section(kText);
  damaged.append(bytes_of(std::span<const std::uint8_t>(text)));
  damaged.end_section();
  damaged.begin_section(kOffsets);
  damaged.append(bytes_of(std::span<const std::uint64_t>(offsets)));
  damaged.end_section();
  damaged.finish();
  damaged.publish();
  const ContainerReader file(path_, kLexiconFile);
  const auto outcome = [](const FrontCoded& coded, const std::string& wanted) {
    try {
      return std::to_string(coded.find(wanted).value_or(~std::uint64_t{0}));
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
  };
  const FrontCoded used(file, kText, kOffsets, strings.size());
  std::size_t refused = 0;
  std::size_t found = 0;
  for (const std::string& wanted : strings) {
    const FrontCoded fresh(file, kText, kOffsets, strings.size());
    const std::string expected = outcome(fresh, wanted);
    EXPECT_EQ(outcome(used, wanted), expected);
    const bool damage = expected.find("block 20 is damaged") != std::string::npos;
    ++(damage ? refused : found);
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(found, 0u);
}

TEST_F(FrontCodedStrings, GiveTheTermsOfAPrefix) {
  const std::vector<std::string> terms{"a", "ab",    "aba",       "abb", "ac",
                                       "b", "b\xff", "b\xff\xff", "c"};
  LexiconWriter writer(path_, directory_.path());
  for (const std::string& term : terms) writer.add(term);
  writer.finish();
  writer.publish_new();
  const Lexicon lexicon(path_, MappedFile(path_), terms.size());
  for (const char* text :
       {"", "a", "ab", "abc", "b", "b\xff", "b\xff\xff", "b\xff\xff\xff", "c", "d", "\xff"}) {
    const std::string prefix = text;
    const TermRange range = lexicon.with_prefix(prefix);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      EXPECT_EQ(i >= range.first && i < range.end, terms[i].starts_with(prefix))
          << terms[i] << " and " << prefix;
    }
  }
}

TEST(ListTable, RowsOfAllLengths) {
  std::mt19937 random(9);
  const std::uint32_t documents = 100'000;
  const RowShape shape = RowShape::of(documents, 2);
  std::vector<std::uint8_t> bytes;
  std::vector<std::vector<std::uint32_t>> docids;
  std::vector<std::vector<std::uint32_t>> freqs;
  for (std::uint32_t count = 1; count < codecs::kTile; ++count) {
    for (const std::uint32_t most : {1u, 2u, 300u, ~0u}) {
      std::set<std::uint32_t> chosen;
      while (chosen.size() < count) chosen.insert(static_cast<std::uint32_t>(random()) % documents);
      if (count == 5) chosen = {0, 1, 2, 3, 4};
      docids.emplace_back(chosen.begin(), chosen.end());
      freqs.emplace_back();
      for (std::uint32_t i = 0; i < count; ++i) {
        freqs.back().push_back(1 + static_cast<std::uint32_t>(random()) % most);
      }
      append_short_row(shape, docids.back(), freqs.back(), bytes);
    }
  }
  ByteReader reader(bytes);
  for (std::size_t i = 0; i < docids.size(); ++i) {
    ListRow row;
    ASSERT_TRUE(read_row(reader, shape, row));
    ASSERT_EQ(row.count, docids[i].size());
    std::vector<std::uint32_t> values(row.count);
    row.packed.decode_docids(row.count, values.data());
    EXPECT_EQ(values, docids[i]);
    row.packed.decode_frequencies(row.count, values.data());
    for (std::uint32_t& value : values) ++value;
    EXPECT_EQ(values, freqs[i]);
  }
  EXPECT_EQ(reader.left(), 0u);
}

TEST(ListTable, ASinglePostingTakesFourBytes) {
  std::vector<std::uint8_t> bytes;
  const std::vector<std::uint32_t> docid{93'000};
  append_short_row(RowShape::of(93'369, 2), docid, std::vector<std::uint32_t>{1}, bytes);
  EXPECT_EQ(bytes.size(), 4u);
}

/// A table of short and long lists, whose last block is not full.
class ListTables : public ::testing::Test {
 protected:
  ListTables() {
    for (std::uint64_t list = 0; list < kLists; ++list) {
      if (list % ListTable::kBlock == 0) begin_block();
      add_list();
    }
    begin_block();
  }

  void begin_block() { blocks_.push_back({bytes_.size(), words_, tiles_}); }

  void add_list() {
    if (random_() % 3 == 0) {
      const std::vector<std::uint32_t> docids{1, 7, 4000}, freqs{1, 2, 1};
      return append_short_row(shape_, docids, freqs, bytes_);
    }
    ListRow row;
    row.count = 128 + static_cast<std::uint32_t>(random_()) % 100'000;
    // Some have codecs of their own; some are long.
    row.streams[0] = {random_() % 5 == 0 ? 3u : 0u,
                      1 + static_cast<std::uint32_t>(random_()) % 9000};
    row.streams[1] = {0, random_() % 4 == 0 ? 4'000'000'000u : 17u};
    row.repetitions = random_() % 1000;
    append_row(shape_, row, bytes_);
    words_ += row.words();
    tiles_ += row.tiles();
  }

  static std::string told(const ListRow& row) {
    std::string text = std::to_string(row.count) + " at " + std::to_string(row.first_word) + ", " +
                       std::to_string(row.first_tile) + ":";
    if (row.is_short()) return text;  // what else there is belongs to others
    for (const StreamRow& stream : row.streams) {
      text += " " + std::to_string(stream.codec) + "/" + std::to_string(stream.words);
    }
    return text + " " + std::to_string(row.repetitions);
  }

  static constexpr std::uint64_t kLists = 5 * ListTable::kBlock + 13;
  std::mt19937 random_{4};
  const RowShape shape_ = RowShape::of(100'000, 2);
  std::vector<std::uint8_t> bytes_;
  std::vector<RowBlock> blocks_;
  std::uint64_t words_ = 0;
  std::uint64_t tiles_ = 0;
};

TEST_F(ListTables, AnyThreadFindsEveryRow) {
  const ListTable table(bytes_, blocks_, kLists, shape_);
  std::vector<std::string> expected;
  for (ListTable::Cursor cursor(table); cursor.next();) expected.push_back(told(cursor.row()));
  ASSERT_EQ(expected.size(), kLists);
  std::atomic<std::uint64_t> wrong = 0;
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 3000; ++i) {
        const std::uint64_t list = random() % kLists;
        if (told(table.row(list)) != expected[list]) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0u);
}

/// Those before it are found, those behind it in its block are not.
TEST_F(ListTables, ADamagedRow) {
  const ListTable whole(bytes_, blocks_, kLists, shape_);
  for (const std::uint64_t damaged : {64u, 71u, 72u, 90u, 127u, 325u}) {
    const std::uint64_t block = damaged / ListTable::kBlock;
    ByteReader reader(std::span<const std::uint8_t>(bytes_).subspan(blocks_[block].offset));
    ListRow row;
    for (std::uint64_t i = 0; i < damaged % ListTable::kBlock; ++i) {
      ASSERT_TRUE(read_row(reader, shape_, row));
    }
    std::vector<std::uint8_t> bytes = bytes_;
    const auto at = static_cast<std::size_t>(reader.position() - bytes_.data());
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 6, std::uint8_t{0xff});
    const ListTable table(bytes, blocks_, kLists, shape_);
    for (int round = 0; round < 2; ++round) {
      for (std::uint64_t list = 0; list < damaged; ++list) {
        ASSERT_EQ(told(table.row(list)), told(whole.row(list))) << damaged << " " << list;
      }
      const std::uint64_t end = std::min(kLists, (block + 1) * ListTable::kBlock);
      for (std::uint64_t list = damaged; list < end; ++list) {
        ASSERT_ANY_THROW(table.row(list)) << damaged << " " << list;
      }
      for (std::uint64_t list = end; list < kLists; ++list) {
        ASSERT_EQ(told(table.row(list)), told(whole.row(list))) << damaged << " " << list;
      }
    }
  }
}

/// What several segments hold is what each of them was given.
TEST(Segments, SeveralInOneIndex) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory.path() / "index";
  const std::vector<Collection> parts{random_collection(300, 20, 1), random_collection(1, 3, 2),
                                      random_collection(500, 30, 3)};
  for (int generation = 0; generation < 2; ++generation) {
    WriteOptions options;
    options.positions = false;
    options.overwrite = true;
    IndexWriter writer(path, options);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) writer.next_segment();
      test::add_documents(writer, parts[i]);
      test::add_lists(writer, parts[i]);
    }
    const Statistics statistics = writer.commit();
    EXPECT_EQ(statistics.documents, 801u);
    const Index index = Index::open(path);
    ASSERT_EQ(index.segments().size(), parts.size());
    std::uint64_t base = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Segment& segment = *index.segments()[i];
      EXPECT_EQ(index.docid_base(i), base);
      base += segment.statistics().documents;
      TermId id = 0;
      for (const auto& [term, postings] : parts[i].lists) {
        EXPECT_EQ(segment.find(term), id);
        EXPECT_EQ(test::decode(segment, id++), postings);
      }
    }
    EXPECT_TRUE(verify_index(path).problems.empty());
    EXPECT_EQ(test::names_in(path).size(), 2 + 3 * parts.size());
  }
}

/// Threads that use lists for the first time at the same time.
TEST(Segments, ListsAreCheckedByAnyThread) {
  const TemporaryDirectory directory;
  const Collection collection = random_collection(2000, 60, 5);
  test::write_index(directory.path(), collection);
  const Index index = Index::open(directory.path());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      TermId id = 0;
      for (const auto& [term, postings] : collection.lists) {
        if (test::decode(*index.segments()[0], id++) != postings) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace gannet::index
