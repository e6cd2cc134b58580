// Repairing: what is whole of a damaged index is saved, what is not is counted, and whatever was
// damaged, what comes out is sound.
#include "index/repair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/fields/field_column.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/fields/text_terms.hpp"
#include "index/manifest/manifest.hpp"
#include "index/repair/salvaged_segment.hpp"
#include "index/segment/live_documents.hpp"
#include "index/updates/add.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;
using test::TextDocument;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::size_t kDocuments = 400;

/// Documents with a number, keywords and a stored field.
class Source final : public DocumentSource {
 public:
  Source(const std::vector<TextDocument>& documents, std::size_t begin, std::size_t end)
      : documents_(documents), begin_(begin), end_(end) {}

  std::unique_ptr<RawBatch> read() override {
    return std::exchange(read_, true) ? nullptr : std::make_unique<RawBatch>();
  }
  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch>) const override {
    auto batch = std::make_unique<Batch>();
    for (std::size_t d = begin_; d < end_; ++d) {
      const TextDocument& document = documents_[d];
      batch->add(document.id, document.text);
      batch->add_value(0, batch->keep(std::to_string(d)));
      batch->add_value(1, batch->keep("k" + std::to_string(d % 7)));
      batch->add_value(1, batch->keep("m" + std::to_string(d % 5)));
      batch->add_value(2, batch->keep("stored " + document.id));
      batch->add_value(3, batch->keep("title of " + document.id));
    }
    return batch;
  }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_total() const override { return end_; }

  static Schema schema() {
    return Schema({parse_field("n:u32"), parse_field("k:keyword:multi"), parse_field("s:stored"),
                   parse_field("title:text")});
  }

 private:
  struct Batch : ParsedBatch {
    std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
    std::deque<std::string> texts;
  };
  const std::vector<TextDocument>& documents_;
  std::size_t begin_, end_;
  bool read_ = false;
};

class Repaired : public ::testing::Test {
 protected:
  Repaired() {
    BuildOptions options;
    options.write.store_text = true;
    options.write.positions = false;  // positions_test.cpp repairs those
    options.write.schema = Source::schema();
    Source first(documents_, 0, 300);
    build_index(first, path_, options);
    Source second(documents_, 300, kDocuments);
    add_documents(second, path_, options_to_add_to(path_));
  }

  RepairReport repair() {
    const RepairReport report = repair_index(path_, output_, {.overwrite = true, .threads = 2});
    EXPECT_THAT(verify_index(output_, 1).problems, IsEmpty());
    return report;
  }
  /// Ids in the repaired index.
  std::vector<std::string> ids() const {
    const Index index = Index::open(output_);
    std::vector<std::string> ids;
    for (Docid d = 0; d < index.statistics().documents; ++d) ids.push_back(index.document_id(d));
    return ids;
  }
  std::vector<std::string> ids_of(std::size_t begin, std::size_t end) const {
    std::vector<std::string> ids;
    for (std::size_t d = begin; d < end; ++d) ids.push_back(documents_[d].id);
    return ids;
  }
  void damage(FileKind kind, Tag tag, std::size_t at) {
    test::change_file(path_, kind, [&](std::vector<test::SectionBytes>& sections) {
      for (test::SectionBytes& section : sections) {
        if (section.id == tag) section.bytes.at(at) ^= 0x55;
      }
    });
  }
  /// The same without right checksums.
  void flip(FileKind kind, Tag tag, std::size_t at, int mask = 0x55) {
    const fs::path path = path_ / ("segment-00000001." + std::string(kind.name));
    std::string bytes = test::read_file(path);
    {
      const ContainerReader file(path, kind);
      const auto row = std::ranges::find(file.sections(), tag, &SectionRow::id);
      bytes.at(row->offset + at) ^= static_cast<char>(mask);
    }
    test::write_file(path, bytes);
  }
  TemporaryDirectory folder_;
  fs::path path_ = folder_.path() / "idx";
  fs::path output_ = folder_.path() / "repaired";
  std::vector<TextDocument> documents_ = test::random_documents(kDocuments, 120, 30, 3);
};

TEST_F(Repaired, AWholeIndexIsCopied) {
  const RepairReport report = repair();
  EXPECT_TRUE(report.nothing_missing());
  EXPECT_EQ(ids(), ids_of(0, kDocuments));
  for (const char* file : {"segment-00000001.postings", "segment-00000001.documents"}) {
    EXPECT_TRUE(test::read_file(path_ / file) == test::read_file(output_ / file)) << file;
  }
}

TEST_F(Repaired, DeletedDocumentsStayAway) {
  {
    DocumentRemover remover(path_);
    remover.remove("doc-7");
    remover.remove("doc-333");
    remover.commit();
  }
  EXPECT_TRUE(repair().nothing_missing());
  EXPECT_EQ(ids().size(), kDocuments - 2);
  EXPECT_THAT(ids(), Not(Contains("doc-7")));
}

TEST_F(Repaired, UnknownDeletionsAreTold) {
  {
    DocumentRemover remover(path_);
    remover.remove("doc-7");
    remover.commit();
  }
  const Manifest manifest = read_manifest(path_);
  fs::remove(path_ / file_name(manifest.segments[0], *manifest.segments[0].find(kLiveFile)));
  const RepairReport report = repair();
  EXPECT_EQ(report.deletions_lost, 1u);
  EXPECT_EQ(ids(), ids_of(0, kDocuments));
}

/// Deleted documents are back, but for those that were replaced: of an id, the newest one wins.
TEST_F(Repaired, ReplacedDocumentsStayAwayWhereDeletionsAreLost) {
  std::vector<TextDocument> newer = documents_;
  for (const std::size_t d : {7u, 8u, 320u}) newer[d].text = "newer";
  const auto replace = [&](std::size_t begin, std::size_t end) {
    BuildOptions options = options_to_add_to(path_);
    options.update = true;
    Source source(newer, begin, end);
    add_documents(source, path_, options);
  };
  replace(7, 9);
  replace(320, 321);
  {
    DocumentRemover remover(path_);
    remover.remove("doc-8");  // the newer one, too
    remover.remove("doc-9");
    remover.commit();
  }
  const Manifest manifest = read_manifest(path_);
  fs::remove(path_ / file_name(manifest.segments[0], *manifest.segments[0].find(kLiveFile)));
  const RepairReport report = repair();
  EXPECT_EQ(report.deletions_lost, 1u);
  EXPECT_EQ(report.replaced_left_out, 2u);
  EXPECT_EQ(report.deleted_back, 1u) << "doc-9";
  std::vector<std::string> expected = ids_of(0, kDocuments);
  std::erase_if(expected, [](const auto& id) { return id == "doc-8"; });
  EXPECT_THAT(ids(), ::testing::UnorderedElementsAreArray(expected));
  const Index index = Index::open(output_);
  EXPECT_EQ(index.stored_text(*index.find_document("doc-7")), "newer");
  EXPECT_EQ(index.stored_text(*index.find_document("doc-320")), "newer");
}

TEST_F(Repaired, IdsOfADamagedBlockThatTheLookupHasAreKept) {
  flip(kDocumentsFile, Tag("IDTX"), 0);  // the first id's length: its block cannot be read
  const RepairReport report = repair();
  EXPECT_EQ(report.documents_lost, 16u);
  EXPECT_EQ(ids(), ids_of(16, kDocuments));
}

TEST_F(Repaired, LengthsThatAreDamagedAreCountedAnew) {
  const Index before = Index::open(path_);
  const auto lengths = before.segments()[0]->document_lengths();
  const std::vector<std::uint32_t> whole(lengths.begin(), lengths.end());
  flip(kDocumentsFile, Tag("LENS"), 400);
  const RepairReport report = repair();
  EXPECT_GT(report.lengths_lost, 0u);
  EXPECT_EQ(report.documents_lost + report.lists_lost, 0u);
  const Index index = Index::open(output_);
  EXPECT_TRUE(std::ranges::equal(index.segments()[0]->document_lengths(), whole));
}

TEST_F(Repaired, WithoutDocumentsWhoseIdsAreLost) {
  damage(kDocumentsFile, Tag("IDTX"), 0);  // the length of the first id
  const RepairReport report = repair();
  EXPECT_EQ(report.documents_lost, 16u);
  EXPECT_EQ(ids(), ids_of(16, kDocuments));
  EXPECT_EQ(Index::open(output_).stored_text(0), documents_[16].text);
  EXPECT_FALSE(report.problems.empty());
}

TEST_F(Repaired, LookupsAreMadeAnew) {
  damage(kDocumentsFile, Tag("IMRK"), 5);
  const RepairReport report = repair();
  EXPECT_EQ(report.documents_lost, 0u);
  const Index index = Index::open(output_);
  for (Docid d = 0; d < kDocuments; ++d) ASSERT_EQ(index.find_document(documents_[d].id), d);
}

TEST_F(Repaired, WithoutListsOfTermsThatAreLost) {
  const std::uint64_t before = Index::open(path_).segments()[0]->statistics().terms;
  test::change_file(path_, kLexiconFile, [](std::vector<test::SectionBytes>& sections) {
    const auto find = [&](Tag tag) {
      return std::ranges::find(sections, tag, &test::SectionBytes::id);
    };
    // Of the last block but one, the length of its first term. (Those in front are read to open
    // it.)
    const std::string& starts = find(Tag("TBLK"))->bytes;
    std::uint64_t start = 0;
    std::memcpy(&start, starts.data() + starts.size() - 3 * sizeof start, sizeof start);
    find(Tag("TERM"))->bytes.at(start) = 0x7f;
  });
  const RepairReport rebuilt = repair();
  EXPECT_EQ(rebuilt.lists_lost, 0u);
  EXPECT_EQ(rebuilt.lists_rebuilt, 16u);
  EXPECT_EQ(Index::open(output_).segments()[0]->statistics().terms, before);
  fs::remove(path_ / "segment-00000001.text");  // of which they were made anew
  const RepairReport report = repair();
  EXPECT_EQ(report.lists_lost, 16u);
  EXPECT_EQ(report.lists_rebuilt, 0u);
  EXPECT_EQ(Index::open(output_).segments()[0]->statistics().terms, before - 16);
  EXPECT_EQ(ids(), ids_of(0, kDocuments));
}

/// The last block that begins with a term of the text field, field 3, seems to begin with one of
/// another number, which is no text's; it still stands before all terms of the main text.
TEST_F(Repaired, WithoutTermsThatAreOfNoText) {
  const std::uint64_t before = Index::open(path_).segments()[0]->statistics().terms;
  test::change_file(path_, kLexiconFile, [](std::vector<test::SectionBytes>& sections) {
    std::string& terms = std::ranges::find(sections, Tag("TERM"), &test::SectionBytes::id)->bytes;
    const std::size_t at = terms.rfind(text_key_prefix(3));
    ASSERT_NE(at, std::string::npos);
    terms[at + 1] = 0x2a;
  });
  const RepairReport report = repair();
  EXPECT_GT(report.lists_lost, 0u);
  EXPECT_LE(report.lists_lost, 16u);
  EXPECT_EQ(Index::open(output_).segments()[0]->statistics().terms, before - report.lists_lost);
  EXPECT_EQ(ids(), ids_of(0, kDocuments));
}

TEST_F(Repaired, WithoutTextsThatAreLost) {
  damage(kTextFile, Tag("BLKS"), 0);
  const RepairReport report = repair();
  const auto texts =
      std::ranges::count_if(documents_.begin(), documents_.begin() + 300,
                            [](const TextDocument& document) { return !document.text.empty(); });
  EXPECT_EQ(report.texts_lost, static_cast<std::uint64_t>(texts)) << "all lie in one block";
  const Index index = Index::open(output_);
  EXPECT_EQ(index.stored_text(5), "");
  EXPECT_EQ(index.stored_text(350), documents_[350].text);
  EXPECT_EQ(report.documents_lost + report.lists_lost + report.columns_lost, 0u);
}

TEST_F(Repaired, WithoutColumnsThatAreLost) {
  damage(kFieldsFile, Tag("T001"), 0);  // the keywords
  const RepairReport report = repair();
  EXPECT_EQ(report.columns_lost, 1u);
  const Index index = Index::open(output_);
  EXPECT_EQ(documents_with(index.segments()[0]->field(1)), 0u);
  EXPECT_EQ(documents_with(index.segments()[1]->field(1)), 100u);
  EXPECT_EQ(documents_with(index.segments()[0]->field(0)), 300u);
  EXPECT_EQ(index.stored_field(2, 5), "stored doc-5");
}

TEST_F(Repaired, WithoutLengthsOfATextThatNoneCanHave) {
  test::change_values<FieldRow>(path_, kFieldsFile, kFieldRows, [](std::vector<FieldRow>& rows) {
    rows[3].base = std::uint64_t{1} << 32;
  });
  const RepairReport report = repair();
  EXPECT_EQ(report.columns_lost, 1u);
  const Index index = Index::open(output_);
  EXPECT_EQ(documents_with(index.segments()[0]->field(3)), 0u);
  EXPECT_EQ(documents_with(index.segments()[1]->field(3)), 100u);
}

TEST_F(Repaired, WithoutSegmentsThatAreLost) {
  fs::remove(path_ / "segment-00000001.documents");
  const RepairReport report = repair();
  EXPECT_EQ(report.segments_lost, 1u);
  EXPECT_EQ(report.documents_lost, 300u);
  EXPECT_EQ(ids(), ids_of(300, kDocuments));
  fs::remove(path_ / "segment-00000002.documents");
  EXPECT_EQ(repair().segments_lost, 2u);
  EXPECT_THAT(ids(), IsEmpty());
}

/// Each document's terms with their frequencies, by the document's id and the term's key.
std::map<std::string, std::uint32_t> frequencies(const Segment& segment) {
  std::map<std::string, std::uint32_t> all;
  for (TermId t = 0; t < segment.statistics().terms; ++t) {
    const PostingList list = segment.list(t);
    std::vector<std::uint32_t> docids(list.count), freqs(list.count);
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    for (std::size_t i = 0; i < docids.size(); ++i) {
      all[segment.document_id(docids[i]) + ' ' + segment.term(t)] = freqs[i];
    }
  }
  return all;
}

/// Lists are in files of their own, and those of the main text follow from the stored texts.
TEST_F(Repaired, ListsAreMadeAnewOfStoredTexts) {
  auto main_text = frequencies(*Index::open(path_).segments()[0]);
  const std::uint64_t others = std::erase_if(main_text, [](const auto& posting) {
    return posting.first.find('\0') != std::string::npos;  // of the text field
  });
  for (const char* file : {"segment-00000001.postings", "segment-00000001.lexicon"}) {
    SCOPED_TRACE(file);
    const std::string sound = test::read_file(path_ / file);
    for (const std::string& damaged : {std::string(), sound.substr(0, sound.size() / 2)}) {
      test::write_file(path_ / file, damaged);
      const RepairReport report = repair();
      EXPECT_EQ(report.documents_lost + report.segments_lost + report.texts_lost, 0u);
      EXPECT_EQ(report.postings_lost, others) << "those of the text field are stored nowhere else";
      EXPECT_GT(report.lists_lost, 0u);
      EXPECT_GT(report.lists_rebuilt, 100u);
      EXPECT_EQ(ids(), ids_of(0, kDocuments));
      EXPECT_EQ(frequencies(*Index::open(output_).segments()[0]), main_text);
    }
    test::write_file(path_ / file, sound);
  }
}

/// Where numbers say that the lists were made of something else, nobody knows of what.
TEST_F(Repaired, ListsOfOtherTextsAreNotMadeAnew) {
  test::change_manifest(path_, [](Manifest& manifest) {
    ++manifest.segments[0].statistics.tokens;
    ++manifest.statistics.tokens;
  });
  fs::resize_file(path_ / "segment-00000001.postings", 100);
  const RepairReport report = repair();
  EXPECT_EQ(report.lists_rebuilt, 0u);
  EXPECT_EQ(report.documents_lost, 0u);
  EXPECT_EQ(ids(), ids_of(0, kDocuments));
  EXPECT_EQ(Index::open(output_).segments()[0]->statistics().terms, 0u);
}

TEST_F(Repaired, AFlippedBitIsPutBack) {
  const std::vector<std::pair<FileKind, Tag>> places{{kLexiconFile, Tag("TERM")},
                                                     {kPostingsFile, Tag("ROWS")},
                                                     {kDocumentsFile, Tag("IDTX")},
                                                     {kTextFile, Tag("BLKS")},
                                                     {kFieldsFile, Tag("T001")}};
  for (const auto& [kind, tag] : places) {
    SCOPED_TRACE(kind.name);
    fs::remove_all(output_);
    flip(kind, tag, 3, 0x10);
    const RepairReport report = repair();
    EXPECT_TRUE(report.nothing_missing());
    EXPECT_EQ(report.blocks_restored, 1u);
    EXPECT_FALSE(report.problems.empty());
    for (const std::string& name : test::names_in(output_)) {
      if (!name.starts_with("segment-00000001") || name.ends_with(kind.name)) continue;
      EXPECT_TRUE(test::read_file(path_ / name) == test::read_file(output_ / name)) << name;
    }
    flip(kind, tag, 3, 0x10);
    const std::string name = "segment-00000001." + std::string(kind.name);
    EXPECT_TRUE(test::read_file(path_ / name) == test::read_file(output_ / name)) << name;
  }
}

/// Texts and columns are no more than what a segment has besides: the rest of it is whole.
TEST_F(Repaired, WithoutAFileOfTextsOrFieldsThatIsLost) {
  const std::string text = test::read_file(path_ / "segment-00000001.text");
  const std::string fields = test::read_file(path_ / "segment-00000001.fields");
  for (const bool missing : {false, true}) {
    for (const std::string kind : {"text", "fields"}) {
      SCOPED_TRACE(kind + (missing ? " is missing" : " is cut off"));
      test::write_file(path_ / "segment-00000001.text", text);
      test::write_file(path_ / "segment-00000001.fields", fields);
      const fs::path file = path_ / ("segment-00000001." + kind);
      missing ? static_cast<void>(fs::remove(file))
              : fs::resize_file(file, fs::file_size(file) / 2);
      const RepairReport report = repair();
      EXPECT_EQ(report.documents_lost + report.segments_lost, 0u);
      EXPECT_EQ(report.texts_lost, kind == "text" ? 300u : 0u);
      EXPECT_EQ(report.columns_lost, kind == "text" ? 0u : 4u);
      EXPECT_EQ(report.lists_lost == 0, kind == "text") << "those of the text field go with it";
      EXPECT_EQ(ids(), ids_of(0, kDocuments));
      const Index index = Index::open(output_);
      EXPECT_EQ(index.stored_text(5), kind == "text" ? "" : documents_[5].text);
      EXPECT_EQ(documents_with(index.segments()[0]->field(0)), kind == "text" ? 300u : 0u);
      EXPECT_GE(index.segments()[0]->statistics().terms, 100u);
    }
  }
}

TEST_F(Repaired, NothingWithoutAManifest) {
  std::string manifest = test::read_file(path_ / "manifest.json");
  manifest[100] ^= 1;
  test::write_file(path_ / "manifest.json", manifest);
  EXPECT_THROW(repair_index(path_, output_, {}), FormatError);
  EXPECT_FALSE(fs::exists(output_));
}

TEST_F(Repaired, NeverInPlaceNorOverOthersFiles) {
  EXPECT_THROW(repair_index(path_, path_, {}), UsageError);
  fs::create_directory(output_);
  test::write_file(output_ / "mine", "x");
  EXPECT_THROW(repair_index(path_, output_, {.overwrite = true}), UsageError);
  EXPECT_EQ(test::read_file(output_ / "mine"), "x");
  EXPECT_THROW(repair_index(path_, path_ / "repaired", {}), UsageError) << "nothing in it changes";
  EXPECT_THROW(repair_index(path_, path_ / "." / "a" / ".." / "b", {}), UsageError);
  const fs::path before = fs::current_path();
  fs::current_path(path_);
  EXPECT_THROW(repair_index(".", "repaired", {}), UsageError);
  fs::current_path(before);
  EXPECT_FALSE(fs::exists(path_ / "repaired"));
}

TEST_F(Repaired, WhateverBytesAreChanged) {
  std::mt19937 random(11);
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    if (entry.path().filename().string().starts_with("segment-")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (int i = 0; i < 150; ++i) {
    const fs::path& file = files[random() % files.size()];
    const std::string sound = test::read_file(file);
    std::string bytes = sound;
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    }
    if (random() % 8 == 0) bytes.resize(random() % bytes.size());
    test::write_file(file, bytes);
    const RepairReport report = repair();
    if (HasFailure()) {
      ADD_FAILURE() << file << " in round " << i;
      return;
    }
    EXPECT_EQ(report.problems.empty(), bytes == sound);
    const std::vector<std::string> left = ids();
    EXPECT_EQ(left.size() + report.documents_lost, kDocuments) << file << " in round " << i;
    test::write_file(file, sound);
  }
}

}  // namespace
}  // namespace gannet::index
