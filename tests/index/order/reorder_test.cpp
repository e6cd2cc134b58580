// Reordering: the bytes of a build in that order, whatever the history.
#include "index/reorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/order/find_order.hpp"
#include "index/updates/remove.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/index/fields_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using test::Crash;
using test::FaultFileSystem;
using test::FieldsSource;
using test::TemporaryDirectory;
using test::TextDocument;

BuildOptions all_parts() {
  BuildOptions options;
  options.threads = 2;
  options.write.store_text = true;
  options.write.schema = FieldsSource::schema();
  return options;
}

/// Lets an order be found with plenty of memory.
std::vector<Docid> order_of(const fs::path& index, const DocumentOrder& order) {
  return find_order(Index::open(index), order, {.memory = 1u << 30, .threads = 2});
}

/// The documents that an order puts first, first.
std::vector<TextDocument> in_order(const std::vector<TextDocument>& documents,
                                   const std::vector<Docid>& order) {
  std::vector<TextDocument> ordered;
  for (const Docid d : order) ordered.push_back(documents[d]);
  return ordered;
}

std::vector<std::size_t> random_ends(std::size_t documents, std::mt19937& random) {
  std::vector<std::size_t> ends;
  for (std::size_t end = 1 + random() % documents; end < documents;
       end += 1 + random() % (documents / 2 + 1)) {
    ends.push_back(end);
  }
  ends.push_back(documents);
  return ends;
}

class Reordered : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  /// Checks an index in a new folder against a build, to the last byte of its manifest.
  void expect_bytes(const std::string& name, const std::vector<TextDocument>& documents,
                    const BuildOptions& options) {
    test::build_segments(path(name + ".expected"), documents, {documents.size()}, options);
    const auto found = test::snapshot(path(name));
    const auto expected = test::snapshot(path(name + ".expected"));
    EXPECT_EQ(found.size(), expected.size());
    for (const auto& [file, bytes] : expected) {
      ASSERT_TRUE(found.contains(file)) << file;
      EXPECT_TRUE(found.at(file) == bytes) << file << " has other bytes";
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(Reordered, HasTheBytesOfABuildInThatOrder) {
  const std::vector<std::string> codecs{"gpu-bp128", "elias-fano", "gpu-dfor", "gpu-vbyte128"};
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto documents = test::random_documents(1 + random() % 900, 150, 25, seed);
    BuildOptions options = all_parts();
    options.write.docid_codec = &codecs::list_codec_named(codecs[seed % codecs.size()]);
    if (seed % 3 == 2) options.write.store_text = false;
    const std::string name = std::to_string(seed);
    test::build_segments(path(name), documents, random_ends(documents.size(), random), options);
    DocumentOrder order = parse_order(seed % 2 == 0 ? "random:" + name : "bisection");
    const auto expected = in_order(documents, order_of(path(name), order));
    ReorderOptions reorder{.output = path(name + ".out"), .threads = 1 + seed % 2};
    reorder_index(path(name), order, reorder);
    expect_bytes(name + ".out", expected, options);
    // In its place: only the numbers of segments differ.
    const ReorderReport report = reorder_index(path(name), order, {.threads = 2});
    EXPECT_EQ(report.statistics.documents, documents.size());
    EXPECT_EQ(test::segment_files(path(name)), test::segment_files(path(name + ".out")));
    EXPECT_TRUE(verify_index(path(name), 1).problems.empty());
  }
}

TEST_F(Reordered, WithLittleMemoryInManyPassesSlow) {
  // Columns of several blocks; more values and texts than a pass has.
  const auto documents = test::random_documents(66000, 3000, 5, 5);
  const BuildOptions options = all_parts();
  test::build_segments(path("idx"), documents, {100, 40000, 66000}, options);
  std::set<std::uint64_t> passes;
  ReorderOptions reorder{.output = path("out"), .memory = std::uint64_t{64} << 20, .threads = 2};
  reorder.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t) {
    if (stage == "writing documents") passes.insert(done);
  };
  const DocumentOrder order = parse_order("random:3");
  reorder_index(path("idx"), order, reorder);
  EXPECT_GT(passes.size(), 2u);
  expect_bytes("out", in_order(documents, order_of(path("idx"), order)), options);
}

TEST_F(Reordered, DeletedDocumentsAreLeftOut) {
  const auto documents = test::random_documents(700, 150, 25, 6);
  const BuildOptions options = all_parts();
  test::build_segments(path("idx"), documents, {300, 350, 700}, options);
  std::mt19937 random(7);
  {
    DocumentRemover remover(path("idx"));
    for (Docid d = 0; d < 700; ++d) {
      if (random() % 4 == 0 || (d >= 300 && d < 350)) remover.remove(d);
    }
    remover.commit();
  }
  for (const char* name : {"random", "bisection", "id", "field:tags", "field:n:desc", "url:tag"}) {
    SCOPED_TRACE(name);
    const DocumentOrder order = parse_order(name);
    const std::vector<Docid> docids = order_of(path("idx"), order);
    const ReorderReport report =
        reorder_index(path("idx"), order, {.output = path(name), .threads = 2});
    EXPECT_EQ(report.statistics.documents, docids.size());
    EXPECT_EQ(report.dropped, 700 - docids.size());
    expect_bytes(name, in_order(documents, docids), options);
  }
  reorder_index(path("idx"), parse_order("random"));
  EXPECT_EQ(test::segment_files(path("idx")), test::segment_files(path("random")));
}

TEST_F(Reordered, AListOfIdsIsOfLiveDocuments) {
  test::build_segments(path("idx"), test::random_documents(5, 50, 20, 2), {2, 5}, all_parts());
  {
    DocumentRemover remover(path("idx"));
    remover.remove("doc-3");
    remover.commit();
  }
  DocumentOrder order = parse_order("file:ids");
  std::vector<std::string> ids{"doc-4", "doc-0", "doc-2", "doc-1"};
  const auto reorder = [&] {
    order.next_id = [&, next = std::size_t{0}](std::string& id) mutable {
      id = next < ids.size() ? ids[next] : "";
      return next++ < ids.size();
    };
    reorder_index(path("idx"), order);
  };
  ids.emplace_back("doc-3");
  EXPECT_THAT(test::message_of<InputError>(reorder), ::testing::HasSubstr("is no document's"));
  ids.pop_back();
  reorder();
  const Index index = Index::open(path("idx"));
  ASSERT_EQ(index.statistics().documents, ids.size());
  for (Docid d = 0; d < ids.size(); ++d) EXPECT_EQ(index.document_id(d), ids[d]);
}

TEST_F(Reordered, DocumentsWithoutIdsKeepTheirNumbersAsNames) {
  std::vector<TextDocument> documents = test::random_documents(300, 50, 20, 1);
  for (TextDocument& document : documents) document.id.clear();
  test::VectorSource source(documents, 50);
  build_index(source, path("idx"), {});
  const DocumentOrder order = parse_order("random");
  const std::vector<Docid> expected = order_of(path("idx"), order);
  reorder_index(path("idx"), order);
  const Index index = Index::open(path("idx"));
  ASSERT_TRUE(index.segments()[0]->has_ids());
  for (Docid d = 0; d < 300; ++d) {
    ASSERT_EQ(index.document_id(d), std::to_string(expected[d]));
  }
  // Back again: bytewise order is not that of the numbers, so the file says it.
  DocumentOrder back;
  back.key = DocumentOrder::Key::kList;
  back.next_id = [next = 0](std::string& id) mutable {
    id = std::to_string(next);
    return next++ < 300;
  };
  EXPECT_EQ(reorder_index(path("idx"), back).moved,
            reorder_index(path("idx"), order, {.output = path("again")}).moved);
}

TEST_F(Reordered, NothingIsWrittenWhereNothingMoves) {
  test::build_segments(path("idx"), test::random_documents(200, 50, 20, 2), {200}, all_parts());
  reorder_index(path("idx"), parse_order("id"));
  const auto before = test::snapshot(path("idx"));
  const ReorderReport report = reorder_index(path("idx"), parse_order("id"));
  EXPECT_FALSE(report.written);
  EXPECT_EQ(report.moved, 0u);
  EXPECT_EQ(report.statistics.documents, 200u);
  EXPECT_EQ(test::snapshot(path("idx")), before);
  // A new folder gets it all the same.
  EXPECT_TRUE(reorder_index(path("idx"), parse_order("id"), {.output = path("copy")}).written);
  EXPECT_EQ(test::segment_files(path("copy")), test::segment_files(path("idx")));
}

TEST_F(Reordered, OutputIsReplacedOnlyWhenAskedTo) {
  test::build_segments(path("idx"), test::random_documents(100, 50, 20, 2), {100}, all_parts());
  const DocumentOrder order = parse_order("random");
  reorder_index(path("idx"), order, {.output = path("out")});
  const auto expected = test::segment_files(path("out"));
  EXPECT_THROW(reorder_index(path("idx"), order, {.output = path("out")}), UsageError);
  reorder_index(path("idx"), order, {.output = path("out"), .overwrite = true});
  EXPECT_EQ(test::segment_files(path("out")), expected);
  EXPECT_THAT(test::message_of<UsageError>([&] {
                reorder_index(path("idx"), order, {.output = path("idx"), .overwrite = true});
              }),
              ::testing::HasSubstr("name no output"));
}

TEST_F(Reordered, ReadersKeepWhatTheyHave) {
  const auto documents = test::random_documents(300, 50, 20, 2);
  test::build_segments(path("idx"), documents, {100, 300}, all_parts());
  const Index before = Index::open(path("idx"));
  reorder_index(path("idx"), parse_order("random"));
  EXPECT_EQ(before.segments().size(), 2u);
  EXPECT_EQ(before.document_id(299), "doc-299");
  EXPECT_EQ(before.stored_text(299), documents[299].text);
}

TEST_F(Reordered, ACrashLeavesOneOrTheOther) {
  const fs::path root = path("disk");
  FaultFileSystem faults(root);
  const auto documents = test::random_documents(60, 50, 20, 2);
  std::size_t first = 0;
  {
    const ReplacedFileSystem replaced(faults);
    faults.create_directory(root);
    BuildOptions options;
    options.write.store_text = true;
    test::VectorSource source(documents, 20);
    build_index(source, root / "idx", options);
    first = faults.log().size();
    reorder_index(root / "idx", parse_order("random"));
  }
  std::set<std::string> seen;
  for (std::size_t count = first; count <= faults.log().size(); ++count) {
    for (const Crash crash : test::kCrashes) {
      for (unsigned seed = 0; seed < (crash == Crash::kRandom ? 4u : 1u); ++seed) {
        const TemporaryDirectory disk;
        write_crashed(faults.log(), count, crash, seed, disk.path());
        const Index index = Index::open(disk.path() / "idx");
        ASSERT_EQ(index.statistics().documents, 60u);
        ASSERT_TRUE(verify_index(disk.path() / "idx", 1).problems.empty()) << count;
        seen.insert(index.document_id(0));
      }
    }
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST_F(Reordered, CanBeStopped) {
  test::build_segments(path("idx"), test::random_documents(400, 150, 25, 9), {100, 400},
                       all_parts());
  const auto before = test::segment_files(path("idx"));
  for (const std::string stage :
       {"gathering terms", "bisecting", "writing documents", "reading fields", "writing lists"}) {
    SCOPED_TRACE(stage);
    std::stop_source stop;
    bool seen = false;
    ReorderOptions options{.stop = stop.get_token()};
    options.progress = [&](std::string_view now, std::uint64_t, std::uint64_t) {
      seen = seen || now == stage;
      if (now == stage) stop.request_stop();
    };
    EXPECT_THROW(reorder_index(path("idx"), parse_order("bisection"), options), CancelledError);
    EXPECT_TRUE(seen);
    EXPECT_EQ(test::segment_files(path("idx")), before);
  }
}

TEST_F(Reordered, AnEmptyIndexStaysOne) {
  test::VectorSource source({}, 50);
  build_index(source, path("idx"), {});
  for (const char* order : {"id", "url", "random", "bisection"}) {
    EXPECT_FALSE(reorder_index(path("idx"), parse_order(order)).written);
  }
  EXPECT_EQ(
      reorder_index(path("idx"), parse_order("id"), {.output = path("out")}).statistics.documents,
      0u);
  EXPECT_TRUE(verify_index(path("out"), 1).problems.empty());
}

}  // namespace
}  // namespace gannet::index
