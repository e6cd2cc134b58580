// What a reader answers from a damaged file: what it answers from the whole one, or an error. Never
// something else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "index/fields/field_column.hpp"
#include "index/index.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/all_kinds_source.hpp"
#include "tests/support/index/flips.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::AllKindsSource;
using test::damage_flips;
using test::Flips;
using test::TemporaryDirectory;
using test::TextDocument;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Every answer that readers of an index give, each by itself, as text.
class Answers {
 public:
  /// Asked again of another index, an answer may be an error.
  static std::vector<std::string> of(const fs::path& path) { return Answers(path).answers_; }

 private:
  explicit Answers(const fs::path& path) {
    try {
      const Index index = Index::open(path);
      for (const auto& segment : index.segments()) {
        add_lists(*segment);
        add_documents(*segment);
        for (std::size_t f = 0; f < index.schema().fields().size(); ++f) {
          add_field(*segment, f, index.schema().fields()[f].is_text());
        }
      }
    } catch (const FormatError&) {
      answers_.clear();  // it cannot be opened
    }
  }

  void add(const std::function<std::string()>& answer) {
    try {
      answers_.push_back(answer());
    } catch (const FormatError&) {
      answers_.emplace_back(kError);
    }
  }

  void add_lists(const Segment& segment) {
    for (TermId t = 0; t < segment.statistics().terms; ++t) {
      add([&] { return segment.term(t); });
      add([&] { return std::to_string(segment.document_frequency(t)); });
      add([&] { return std::to_string(segment.collection_frequency(t)); });
      add([&] { return list(segment, t); });
    }
    for (int word = 0; word < 300; word += 3) {
      const std::string term = "word" + std::to_string(word);
      add([&] {
        const auto found = segment.find(term);
        return found ? std::to_string(*found) : "none";
      });
      add([&] {
        const TermRange range = segment.terms_with_prefix(term);
        return std::to_string(range.first) + " " + std::to_string(range.end);
      });
    }
  }

  static std::string list(const Segment& segment, TermId term) {
    const PostingList list = segment.list(term);
    std::vector<std::uint32_t> docids(list.count), freqs(list.count);
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    std::string text;
    for (std::size_t i = 0; i < docids.size(); ++i) {
      text += std::to_string(docids[i]) + ":" + std::to_string(freqs[i]) + " ";
    }
    for (std::size_t i = 0; i < list.skips.size(); ++i) {
      text += std::to_string(list.skips[i]) + "/" + std::to_string(list.max_freqs[i]) + "/" +
              std::to_string(list.min_lengths[i]) + " ";
    }
    return text;
  }

  void add_documents(const Segment& segment) {
    for (Docid d = 0; d < segment.statistics().documents; ++d) {
      add([&] { return segment.document_id(d); });
      add([&] { return std::to_string(segment.document_lengths()[d]); });
      add([&] { return segment.stored_text(d).value_or("none"); });
      add([&] {
        std::vector<Docid> found;
        segment.find_documents("doc-" + std::to_string(d), found);
        return found.empty() ? "none" : std::to_string(found.front());
      });
    }
  }

  void add_field(const Segment& segment, std::size_t field, bool is_text) {
    const std::uint64_t documents = segment.statistics().documents;
    for (std::uint32_t d = 0; d < documents; ++d) {
      add([&] { return segment.field(field).has(d) ? "has" : "lacks"; });
      add([&] {
        const StoredTexts* const texts = segment.field(field).texts();
        return texts == nullptr ? "" : texts->text(d).value_or("none");
      });
    }
    add([&] { return blocks(segment.field(field)); });
    for (std::uint32_t i = 0; i < 12; ++i) {
      add([&] {
        const KeywordDictionary* const strings = segment.field(field).dictionary();
        return strings == nullptr || i >= strings->size() ? "" : strings->text(i);
      });
    }
    if (!is_text) return;
    add([&] {
      std::string text;
      for (const auto length : segment.text_lengths(static_cast<std::uint32_t>(field))) {
        text += std::to_string(length) + " ";
      }
      return text;
    });
  }

  static std::string blocks(const FieldColumn& column) {
    std::string text = std::to_string(column.keys().base) + " ";
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      const FieldBlock& block = column.blocks()[b];
      text += std::to_string(block.least) + ".." + std::to_string(block.greatest) + " ";
      std::vector<std::uint64_t> codes(block.count);
      column.decode(b, codes.data());
      for (const std::uint64_t code : codes) text += std::to_string(code) + " ";
    }
    for (const std::uint32_t start : column.starts()) text += std::to_string(start) + " ";
    return text;
  }

 public:
  static constexpr const char* kError = "an error";

 private:
  std::vector<std::string> answers_;
};

class FirstUse : public ::testing::Test {
 protected:
  FirstUse() {
    BuildOptions options;
    options.write.store_text = true;
    options.write.schema = AllKindsSource::schema();
    options.threads = 1;
    AllKindsSource source(documents_, 0, documents_.size());
    build_index(source, index_, options);
  }

  TemporaryDirectory folder_;
  fs::path index_ = folder_.path() / "idx";
  std::vector<TextDocument> documents_ = test::random_documents(260, 300, 40, 6);
};

TEST_F(FirstUse, AFlippedBitIsAnErrorAndNeverAnotherAnswer) {
  const std::vector<std::string> whole = Answers::of(index_);
  ASSERT_THAT(whole, ::testing::Not(::testing::Contains(Answers::kError)));
  Flips flips(index_, 3);
  std::uint64_t told = 0;
  const std::uint64_t rounds = damage_flips(60);
  for (std::uint64_t i = 0; i < rounds && !HasFailure(); ++i) {
    SCOPED_TRACE(flips.flip());
    const std::vector<std::string> answers = Answers::of(index_);
    bool error = answers.empty();
    for (std::size_t a = 0; a < answers.size(); ++a) {
      if (answers[a] == Answers::kError) {
        error = true;
      } else {
        ASSERT_EQ(answers[a], whole[a]) << "answer " << a;
      }
    }
    told += error ? 1 : 0;
    flips.undo();
  }
  EXPECT_GT(told * 3, rounds);
}

/// A part of a file that is damaged does not keep anybody from the others.
TEST_F(FirstUse, DamageOfOneBlockLeavesTheOthers) {
  const auto flip = [&] {
    const fs::path path = index_ / "segment-00000001.text";
    std::string bytes = test::read_file(path);
    bytes[80] ^= 1;  // of the first text block
    test::write_file(path, bytes);
  };
  flip();
  const Index index = Index::open(index_);
  EXPECT_THAT([&] { index.stored_text(0); },
              ThrowsMessage<DamageError>(HasSubstr("section 'BLKS'")));
  EXPECT_EQ(index.document_id(0), "doc-0");
  EXPECT_NO_THROW(index.segments()[0]->list(0));
}

TEST_F(FirstUse, ManyThreadsMayBeTheFirst) {
  const std::vector<std::string> whole = Answers::of(index_);
  const Index index = Index::open(index_);
  const Segment& segment = *index.segments()[0];
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> sums(8);
  for (std::size_t t = 0; t < sums.size(); ++t) {
    threads.emplace_back([&, t] {
      for (TermId term = 0; term < segment.statistics().terms; ++term) {
        sums[t] += segment.list(term).count + segment.term(term).size();
      }
      for (Docid d = 0; d < 260; ++d) sums[t] += segment.document_id(d).size();
      for (const std::uint32_t length : segment.document_lengths()) sums[t] += length;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace
}  // namespace gannet::index
