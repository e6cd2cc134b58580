// The Common Index File Format: golden bytes, files of other programs, hostile files, and round
// trips through an index.
#include "corpora/lists/ciff.hpp"

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/builder.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::open_ciff;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Values = std::vector<std::uint32_t>;

/// Fields as the protobuf documentation spells them; tags are written by hand.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string bytes(unsigned field, const std::string& value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}
std::string delimited(const std::string& message) { return varint(message.size()) + message; }

std::string header(std::uint64_t lists, std::uint64_t documents, std::uint64_t version = 1) {
  return number(1, version) + number(2, lists) + number(3, documents) + number(4, lists) +
         number(5, documents);
}
std::string posting(std::uint64_t gap, std::uint64_t frequency) {
  return bytes(4, number(1, gap) + number(2, frequency));
}
std::string list(const std::string& term, std::uint64_t count, const std::string& postings) {
  return bytes(1, term) + number(2, count) + postings;
}
std::string record(std::uint64_t docid, const std::string& id, std::uint64_t length) {
  return number(1, docid) + bytes(2, id) + number(3, length);
}

/// Three documents and two lists; each part may be replaced.
struct File {
  std::string head = header(2, 3);
  std::string first = list("b", 2, posting(0, 3) + posting(2, 1));
  std::string second = list("a", 1, posting(1, 7));
  std::string records =
      delimited(record(0, "x", 4)) + delimited(record(1, "y", 7)) + delimited(record(2, "z", 1));

  std::string text() const {
    return delimited(head) + delimited(first) + delimited(second) + records;
  }
};

class Ciff : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    directory_.write("c.ciff", text);
    return directory_ / "c.ciff";
  }
  /// What opening the file and reading all of it says is wrong.
  std::string error(const std::string& text) {
    return message_of<FormatError>([&] {
      const auto source = open_ciff(write(text));
      Values docids, freqs;
      for (std::uint64_t i = 0; i < source->lists(); ++i) {
        source->term(i);
        source->list(i, docids, freqs);
      }
      for (std::uint64_t d = 0; d < source->documents(); ++d) source->length(d);
    });
  }
  test::TemporaryDirectory directory_;
};

TEST_F(Ciff, ReadsListsAndRecords) {
  const auto source = open_ciff(write(File().text()));
  ASSERT_EQ(source->documents(), 3u);
  EXPECT_EQ(source->length(1), 7u);
  EXPECT_EQ(source->document_id(2), "z");
  ASSERT_EQ(source->lists(), 2u);
  EXPECT_EQ(source->term(0), "b");
  EXPECT_EQ(source->postings(0), 2u);
  Values docids{9}, freqs{9, 9};
  source->list(0, docids, freqs);
  EXPECT_THAT(docids, ElementsAre(0, 2));
  EXPECT_THAT(freqs, ElementsAre(3, 1));
  source->list(1, docids, freqs);
  EXPECT_THAT(docids, ElementsAre(1));
  EXPECT_THAT(freqs, ElementsAre(7));
}

/// Fields in another order, fields that nobody here knows, records in another order, numbers that
/// are 0 left out: all of it is the same message.
TEST_F(Ciff, ReadsWhatOtherWritersMayWrite) {
  File file;
  const std::string unknown = number(77, 5) + bytes(78, "??") + varint(79 << 3 | 1) + "12345678" +
                              varint(80 << 3 | 5) + "1234";
  file.head = unknown + number(3, 3) + number(2, 2) + number(1, 1);
  file.first = bytes(4, number(2, 3)) + unknown + number(2, 2) +
               bytes(4, number(2, 1) + unknown + number(1, 2)) + bytes(1, "b");
  file.records = delimited(record(2, "z", 1)) + delimited(bytes(2, "x") + number(3, 4)) +
                 delimited(number(3, 7) + bytes(2, "y") + number(1, 1));
  const auto source = open_ciff(write(file.text()));
  EXPECT_EQ(source->term(0), "b");
  EXPECT_EQ(source->document_id(0), "x");
  EXPECT_EQ(source->length(1), 7u);
  Values docids, freqs;
  source->list(0, docids, freqs);
  EXPECT_THAT(docids, ElementsAre(0, 2));
  EXPECT_THAT(freqs, ElementsAre(3, 1));
}

TEST_F(Ciff, ListsOfSomeTermsAreTakenRecordsOfSomeDocumentsAreNot) {
  File file;
  file.head = number(1, 1) + number(2, 2) + number(3, 3) + number(4, 1000) + number(5, 3);
  EXPECT_EQ(open_ciff(write(file.text()))->lists(), 2u);
  file.head = number(1, 1) + number(2, 2) + number(3, 3) + number(5, 4);
  EXPECT_THAT(error(file.text()), HasSubstr("scores need all of them"));
}

TEST_F(Ciff, EveryCutIsToldOf) {
  const std::string text = File().text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(error(text.substr(0, size)).empty()) << size;
  }
  EXPECT_THAT(error(text + "x"), HasSubstr("goes on behind"));
}

TEST_F(Ciff, CompressedAndForeignFilesAndOtherVersions) {
  EXPECT_THAT(message_of<FormatError>([&] { open_ciff(write("\x1f\x8b...")); }),
              HasSubstr("damaged gzip data"));
  const std::string text = File().text();
  for (const std::string& packed : {test::gzip(text), test::zstd(text), test::bzip2(text)}) {
    const auto source = open_ciff(write(packed));
    const auto plain = open_ciff(write(text));
    ASSERT_EQ(source->lists(), plain->lists());
    EXPECT_EQ(source->documents(), plain->documents());
    for (std::uint64_t i = 0; i < plain->lists(); ++i) {
      std::vector<std::uint32_t> docids, freqs, expected_docids, expected_freqs;
      source->list(i, docids, freqs);
      plain->list(i, expected_docids, expected_freqs);
      EXPECT_EQ(source->term(i), plain->term(i));
      EXPECT_EQ(docids, expected_docids);
      EXPECT_EQ(freqs, expected_freqs);
    }
    EXPECT_THAT(
        message_of<FormatError>([&] { open_ciff(write(packed.substr(0, packed.size() - 3))); }),
        HasSubstr("ends too early"));
  }
  EXPECT_THAT(message_of<VersionError>([&] { open_ciff(write(delimited(header(0, 0, 2)))); }),
              HasSubstr("version 2"));
  EXPECT_THROW(open_ciff(directory_ / "none.ciff"), IoError);
  EXPECT_EQ(open_ciff(write(delimited(header(0, 0))))->documents(), 0u);
}

struct Hostile {
  const char* name;
  File file;
  const char* message;
};

class HostileCiff : public Ciff, public ::testing::WithParamInterface<Hostile> {};

TEST_P(HostileCiff, IsAnErrorThatNamesThePlace) {
  EXPECT_THAT(error(GetParam().file.text()), HasSubstr(GetParam().message));
}

const Hostile kHostile[] = {
    {"more_lists", {.head = header(3, 3)}, "record 2 is missing"},
    {"very_many_lists", {.head = header(1 << 30, 3)}, "more than the file has bytes"},
    {"negative_lists", {.head = header(~std::uint64_t{0}, 3)}, "more than the file has bytes"},
    {"very_many_documents", {.head = header(2, 1 << 29)}, "bytes follow the lists"},
    {"negative_documents", {.head = header(2, ~std::uint64_t{0})}, "there may be 2^29"},
    {"fewer_documents", {.head = header(2, 2)}, "goes on behind"},
    {"docid_too_large",
     {.records = delimited(record(0, "x", 4)) + delimited(record(3, "y", 4)) +
                 delimited(record(2, "z", 4))},
     "docid 3, but there are 3"},
    {"no_term", {.first = number(2, 1) + posting(0, 1)}, "list 0 has no term"},
    {"another_count", {.first = list("b", 3, posting(0, 1))}, "frequency is 3"},
    {"no_count", {.first = bytes(1, "b") + posting(0, 1)}, "frequency is 0"},
    {"huge_count", {.first = list("b", 1 << 30, posting(0, 1))}, "frequency 1073741824"},
    {"gap_0", {.first = list("b", 2, posting(1, 1) + posting(0, 1))}, "do not ascend"},
    {"gap_too_large", {.first = list("b", 2, posting(1, 1) + posting(2, 1))}, "too large for 3"},
    {"gap_below_0", {.first = list("b", 1, posting(~std::uint64_t{0}, 1))}, "too large for 3"},
    {"frequency_0", {.first = list("b", 1, posting(1, 0))}, "not from 1"},
    {"frequency_below_0", {.first = list("b", 1, posting(1, ~std::uint64_t{0}))}, "not from 1"},
    {"a_group", {.first = list("b", 1, varint(4 << 3 | 3))}, "list 0 is no protobuf message"},
    {"field_0", {.second = number(0, 1)}, "list 1 is no protobuf message"},
    {"text_too_long", {.second = varint(1 << 3 | 2) + varint(100)}, "list 1 is no protobuf"},
    {"twice",
     {.records = delimited(record(0, "x", 4)) + delimited(record(0, "y", 4)) +
                 delimited(record(2, "z", 4))},
     "of one before it"},
    {"length_below_0",
     {.records = delimited(record(0, "x", ~std::uint64_t{0})) + delimited(record(1, "y", 4)) +
                 delimited(record(2, "z", 4))},
     "document 0 has a length"},
};

INSTANTIATE_TEST_SUITE_P(Files, HostileCiff, ::testing::ValuesIn(kHostile),
                         [](const auto& hostile) { return std::string(hostile.param.name); });

/// The bytes of a small index, as protobuf's own writers spell them.
TEST_F(Ciff, GoldenBytes) {
  index::build_inverted(*open_ciff(write(File().text())), directory_ / "index", {});
  corpora::export_ciff(index::Index::open(directory_ / "index"), directory_ / "out.ciff");
  // The average length is 12 / 3; zeros are left out; terms come in order.
  const std::string head = header(2, 3) + number(6, 12) + varint(7 << 3 | 1) +
                           std::string("\0\0\0\0\0\0\x10\x40", 8) + bytes(8, "gannet 0.1.0");
  const std::string expected =
      delimited(head) + delimited(bytes(1, "a") + number(2, 1) + number(3, 7) + posting(1, 7)) +
      delimited(bytes(1, "b") + number(2, 2) + number(3, 4) + bytes(4, number(2, 3)) +
                posting(2, 1)) +
      delimited(bytes(2, "x") + number(3, 4)) + delimited(record(1, "y", 7)) +
      delimited(record(2, "z", 1));
  EXPECT_EQ(test::read_file(directory_ / "out.ciff"), expected);
}

/// Lists of all lengths, gaps and frequencies, documents without terms.
TEST_F(Ciff, RoundTripsThroughAnIndexAreExact) {
  std::mt19937_64 random(7);
  constexpr std::uint32_t kDocuments = 5000;
  std::string text = delimited(header(40, kDocuments));
  for (std::uint32_t t = 0; t < 40; ++t) {
    std::string postings;
    std::uint32_t count = 0;
    for (std::uint32_t d = t, before = 0; d < kDocuments; ++count) {
      postings += posting(count == 0 ? d : d - before, 1 + random() % (t % 4 == 0 ? 100'000 : 3));
      before = d;
      d += 1 + static_cast<std::uint32_t>(random() % (1 + t * t * 5));
    }
    text += delimited(list("t" + std::to_string(100 + t), count, postings));
  }
  for (std::uint32_t d = 0; d < kDocuments; ++d) {
    text += delimited(record(d, "doc " + std::to_string(d), d % 1000));
  }
  index::build_inverted(*open_ciff(write(text)), directory_ / "one", {});
  corpora::export_ciff(index::Index::open(directory_ / "one"), directory_ / "one.ciff");
  index::build_inverted(*open_ciff(directory_ / "one.ciff"), directory_ / "two", {});
  corpora::export_ciff(index::Index::open(directory_ / "two"), directory_ / "two.ciff");
  EXPECT_EQ(test::read_file(directory_ / "one.ciff"), test::read_file(directory_ / "two.ciff"));
  const auto in = open_ciff(directory_ / "c.ciff");
  const auto out = open_ciff(directory_ / "two.ciff");
  ASSERT_EQ(out->lists(), in->lists());
  ASSERT_EQ(out->documents(), in->documents());
  Values docids[2], freqs[2];
  for (std::uint64_t i = 0; i < in->lists(); ++i) {
    EXPECT_EQ(out->term(i), in->term(i));
    in->list(i, docids[0], freqs[0]);
    out->list(i, docids[1], freqs[1]);
    EXPECT_EQ(docids[0], docids[1]);
    EXPECT_EQ(freqs[0], freqs[1]);
  }
  for (std::uint64_t d = 0; d < in->documents(); ++d) {
    ASSERT_EQ(out->document_id(d), in->document_id(d));
    ASSERT_EQ(out->length(d), in->length(d));
  }
}

TEST_F(Ciff, ExportRefusesWhatTheFormatCannotHoldAndLeavesNothing) {
  File file;
  file.first = list("\xff\xfe", 2, posting(0, 3) + posting(2, 1));
  index::build_inverted(*open_ciff(write(file.text())), directory_ / "index", {});
  const auto index = index::Index::open(directory_ / "index");
  EXPECT_THAT(message_of<UsageError>([&] { corpora::export_ciff(index, directory_ / "out.ciff"); }),
              HasSubstr("not UTF-8"));
  struct Cancelled {};
  EXPECT_THROW(
      corpora::export_ciff(index, directory_ / "out.ciff", [](auto, auto) { throw Cancelled(); }),
      Cancelled);
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("out")) << entry.path();
  }
}

}  // namespace
}  // namespace gannet
