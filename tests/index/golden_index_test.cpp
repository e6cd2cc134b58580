// The bytes of the current format version, checked in as tests/data/index: no change of the code
// may change them by chance. A new format version writes them anew, with
// GANNET_WRITE_GOLDEN_INDEX=DIR test_index --gtest_filter=GoldenIndex.*
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iomanip>
#include <span>
#include <sstream>

#include "index/files/container/container.hpp"
#include "index/manifest/manifest.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::Collection;
using test::expect_holds;
using test::read_file;
using test::TemporaryDirectory;
using test::write_index;

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kGoldenIndex =
    std::filesystem::path(test::kSourceFolder) / "tests/data/index";

/// The kinds of file that it has: documents without fields.
constexpr auto kGoldenKinds = std::span(kFileKinds).first<4>();

/// What tests/data/index holds: three birds, and a list of three tiles.
Collection birds() {
  Collection collection;
  const std::string texts[] = {"The northern gannet dives for fish.", "",
                               "Gannets dive; a gannet's dive is steep: gannet, gannet!"};
  for (std::uint32_t i = 0; i < 300; ++i) {
    collection.ids.push_back(i < 3 ? "bird-" + std::to_string(i) : "copy-" + std::to_string(i));
    collection.texts.push_back(texts[i % 3]);
    collection.lengths.push_back(i % 3 == 0 ? 6 : i % 3 == 1 ? 0 : 9 + i / 100);
  }
  collection.lists["dive"] = {{0, 2, 3, 299}, {1, 2, 1, 70000}};
  collection.lists["fish"] = {{0}, {1}};
  collection.lists["f\xc3\xaate"] = {{299}, {1}};
  for (std::uint32_t i = 0; i < 300; ++i) {
    if (i % 20 == 1) continue;
    collection.lists["gannet"].docids.push_back(i);
    collection.lists["gannet"].freqs.push_back(1 + i % 4);
  }
  return collection;
}

TEST(GoldenIndex, IsReadable) {
  if (const char* directory = std::getenv("GANNET_WRITE_GOLDEN_INDEX")) {
    WriteOptions options;
    options.freq_codec = &codecs::list_codec_named("gpu-vbyte128");
    write_index(directory, birds(), options);
  }
  const Index index = Index::open(kGoldenIndex);
  expect_holds(index, birds());
  EXPECT_EQ(index.analyzer(), AnalyzerConfig{});
  EXPECT_EQ(index.defaults().k1, 0.9f);
  EXPECT_EQ(index.defaults().b, 0.4f);
  EXPECT_EQ(index.segments()[0]->docid_codec().name, "gpu-bp128");
  EXPECT_EQ(index.segments()[0]->freq_codec().name, "gpu-vbyte128");
  EXPECT_THAT(verify_index(kGoldenIndex).problems, IsEmpty());
}

TEST(GoldenIndex, TheSameDocumentsStillGiveTheSameBytes) {
  TemporaryDirectory directory;
  WriteOptions options;
  options.freq_codec = &codecs::list_codec_named("gpu-vbyte128");
  write_index(directory.path(), birds(), options);
  // Not the text: its bytes depend on the version of zstd; and not the manifest, which names them.
  for (const char* kind : {"lexicon", "documents", "postings"}) {
    const std::string name = std::string("segment-00000001.") + kind;
    EXPECT_EQ(read_file(directory.path() / name), read_file(kGoldenIndex / name)) << name;
  }
}

/// Reads the checked-in index with nothing but what FORMAT.md says.
class FormatDocument : public ::testing::Test {
 protected:
  template <class T>
  static T at(const std::string& bytes, std::size_t offset) {
    T value;
    EXPECT_LE(offset + sizeof value, bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  static std::uint64_t hash(std::string_view bytes) { return xxh3(bytes_of(bytes)); }

  /// The content of a section, found by walking the file as the document describes.
  static std::string section(const std::string& file, const std::string& id) {
    const std::size_t footer = file.size() - 64;
    const auto table = at<std::uint64_t>(file, footer);
    const auto sections = at<std::uint32_t>(file, footer + 8);
    for (std::size_t row = table; row < table + 32 * sections; row += 32) {
      if (file.substr(row, 4) != id) continue;
      const std::string content =
          file.substr(at<std::uint64_t>(file, row + 8), at<std::uint64_t>(file, row + 16));
      EXPECT_EQ(hash(content), at<std::uint64_t>(file, row + 24));
      return content;
    }
    ADD_FAILURE() << "no section " << id;
    return "";
  }

  const std::string document_ =
      read_file(std::filesystem::path(test::kSourceFolder) / "index/FORMAT.md");
};

TEST_F(FormatDocument, HeaderAndFooter) {
  for (const FileKind kind : kGoldenKinds) {
    const std::string file =
        read_file(kGoldenIndex / ("segment-00000001." + std::string(kind.name)));
    EXPECT_EQ(file.substr(0, 8), "GANNETIX");
    EXPECT_EQ(at<std::uint32_t>(file, 8), kFormatVersion);
    EXPECT_EQ(file.substr(12, 4), to_string(kind.tag));
    EXPECT_EQ(at<std::uint64_t>(file, 56), hash(file.substr(0, 56)));
    const std::size_t footer = file.size() - 64;
    const auto table = at<std::uint64_t>(file, footer);
    EXPECT_EQ(table + 32 * at<std::uint32_t>(file, footer + 8), footer);
    EXPECT_EQ(at<std::uint64_t>(file, footer + 16), file.size());
    EXPECT_EQ(at<std::uint64_t>(file, footer + 24), hash(file.substr(table, footer - table)));
    EXPECT_EQ(at<std::uint64_t>(file, footer + 32), at<std::uint64_t>(file, 56));
    // Checksums of blocks of 4,096 bytes stand in front of the table.
    const auto last = at<std::uint64_t>(file, footer - 24) + at<std::uint64_t>(file, footer - 16);
    const std::size_t sums = (last + 63) / 64 * 64;
    const std::size_t blocks = (sums + 4095) / 4096;
    EXPECT_EQ((sums + 8 * blocks + 63) / 64 * 64, table);
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::size_t size = std::min<std::size_t>(4096, sums - i * 4096);
      EXPECT_EQ(at<std::uint64_t>(file, sums + 8 * i), hash(file.substr(i * 4096, size)));
    }
    EXPECT_EQ(at<std::uint64_t>(file, footer + 40), hash(file.substr(sums, 8 * blocks)));
    EXPECT_EQ(file.substr(footer + 48, 8), "XITENNAG");
    EXPECT_EQ(at<std::uint64_t>(file, footer + 56), hash(file.substr(footer, 56)));
  }
}

TEST_F(FormatDocument, Sections) {
  const std::string lexicon = read_file(kGoldenIndex / "segment-00000001.lexicon");
  const std::string terms =
      "\x04"
      "dive\x40"
      "fish\x41\xc3\xaate\x60gannet";
  EXPECT_EQ(section(lexicon, "TERM"), terms);
  EXPECT_EQ(at<std::uint64_t>(section(lexicon, "TBLK"), 0), 0u);
  EXPECT_EQ(at<std::uint64_t>(section(lexicon, "TBLK"), 8), terms.size());
  const std::string documents = read_file(kGoldenIndex / "segment-00000001.documents");
  EXPECT_EQ(at<std::uint32_t>(section(documents, "LENS"), 4 * 299), 11u);
  EXPECT_EQ(section(documents, "IDTX").substr(0, 9),
            "\x06"
            "bird-0\x15"
            "1");
  EXPECT_EQ(section(documents, "IBLK").size(), 8u * (19 + 1));
}

TEST_F(FormatDocument, ListTable) {
  const std::string postings = read_file(kGoldenIndex / "segment-00000001.postings");
  const std::string rows = section(postings, "ROWS");
  // dive: 4 postings, gaps 0 1 0 295 in 9 bits, frequencies less one 0 1 0 69,999 in 17.
  EXPECT_EQ(rows.substr(0, 3), std::string("\x06\x09\x11"));
  EXPECT_EQ(at<std::uint32_t>(rows, 3), 1u << 9 | 295u << 27);  // and the highest bits of 295
  // fish: a single posting, docid 0 in the 9 bits that 299 takes; then the one of document 299.
  EXPECT_EQ(rows.substr(3 + 13, 6), std::string("\x01\x00\x00\x01\x2b\x01", 6));
  // gannet: 285 postings with the segment's codecs, two lengths in words, 711 - 285 repetitions.
  const std::string gannet = rows.substr(3 + 13 + 6);
  ASSERT_EQ(gannet.size(), 6u);
  EXPECT_EQ(gannet.substr(0, 2), "\xb9\x04");
  const auto docid_words = static_cast<std::uint64_t>(gannet[2]);
  const auto freq_words = static_cast<std::uint64_t>(gannet[3]);
  EXPECT_EQ(section(postings, "WORD").size(), 4 * (docid_words + freq_words));
  std::uint64_t repetitions = 0;
  const Collection collection = birds();
  for (const std::uint32_t freq : collection.lists.at("gannet").freqs) repetitions += freq - 1;
  EXPECT_EQ((gannet[4] & 0x7f) + gannet[5] * 128, static_cast<int>(repetitions));
  const std::string blocks = section(postings, "RBLK");
  ASSERT_EQ(blocks.size(), 24u * 2);
  EXPECT_EQ(at<std::uint64_t>(blocks, 24), rows.size());
  EXPECT_EQ(at<std::uint64_t>(blocks, 24 + 8), docid_words + freq_words);
  EXPECT_EQ(at<std::uint64_t>(blocks, 24 + 16), 3u);
  EXPECT_EQ(at<std::uint32_t>(section(postings, "SKIP"), 4 * 2), 299u);
  EXPECT_EQ(at<std::uint16_t>(section(postings, "MAXF"), 0), 4u);
  EXPECT_EQ(section(postings, "MINL").size(), 2u * 3);
}

TEST_F(FormatDocument, StoredText) {
  const std::string text = read_file(kGoldenIndex / "segment-00000001.text");
  EXPECT_EQ(at<std::uint64_t>(section(text, "DOFF"), 8 * 1), 35u);
  EXPECT_EQ(at<std::uint32_t>(section(text, "BLKS"), 0), 0xfd2fb528u);  // zstd's magic number
  EXPECT_EQ(section(text, "BOFF").size(), 16u);
}

TEST_F(FormatDocument, ManifestChecksum) {
  const std::string manifest = read_file(kGoldenIndex / "manifest.json");
  const std::size_t body = manifest.size() - 31;
  EXPECT_EQ(manifest.substr(body, 11), "  \"xxh3\": \"");
  EXPECT_EQ(manifest.substr(body + 11, 16), to_hex(hash(manifest.substr(0, body))));
}

TEST_F(FormatDocument, NamesEverySectionMemberAndCodec) {
  for (const FileKind kind : kGoldenKinds) {
    EXPECT_THAT(document_, HasSubstr("`" + to_string(kind.tag) + "`"));
    EXPECT_THAT(document_, HasSubstr("`." + std::string(kind.name) + "`"));
    const ContainerReader file(kGoldenIndex / ("segment-00000001." + std::string(kind.name)), kind);
    for (const SectionRow& row : file.sections()) {
      EXPECT_THAT(document_, HasSubstr("`" + to_string(row.id) + "`"));
    }
  }
  const std::string manifest = read_file(kGoldenIndex / "manifest.json");
  for (std::size_t end = manifest.find("\": "); end != std::string::npos;
       end = manifest.find("\": ", end + 1)) {
    const std::size_t start = manifest.rfind('"', end - 1) + 1;
    EXPECT_THAT(document_, HasSubstr("`" + manifest.substr(start, end - start) + "`"));
  }
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    const std::string id = std::to_string(static_cast<std::uint32_t>(codec.id));
    EXPECT_THAT(document_, HasSubstr("| " + id + " | " + std::string(codec.name) + " |"));
  }
  EXPECT_THAT(document_, HasSubstr("| " + std::to_string(kFormatVersion) + " | "));
}

}  // namespace
}  // namespace gannet::index
