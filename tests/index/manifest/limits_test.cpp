// How much an index can hold, and that more is refused.
#include "index/files/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "index/manifest/manifest.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A segment that says how many documents it has, and knows nothing else.
class Large final : public Segment {
 public:
  explicit Large(std::uint64_t documents) { statistics_.documents = documents; }
  const Statistics& statistics() const override { return statistics_; }
  const codecs::ListCodec& docid_codec() const override { refuse(); }
  const codecs::ListCodec& freq_codec() const override { refuse(); }
  std::optional<TermId> find(std::string_view) const override { refuse(); }
  TermRange terms_with_prefix(std::string_view) const override { refuse(); }
  std::string term(TermId) const override { refuse(); }
  std::uint32_t document_frequency(TermId) const override { refuse(); }
  std::uint64_t collection_frequency(TermId) const override { refuse(); }
  PostingList list(TermId) const override { refuse(); }
  std::span<const std::uint32_t> document_lengths() const override { refuse(); }
  std::string document_id(Docid) const override { refuse(); }
  std::optional<std::string> stored_text(Docid) const override { refuse(); }
  const ListTable& list_table() const override { refuse(); }
  std::span<const std::uint32_t> words() const override { refuse(); }
  std::span<const std::uint32_t> skips() const override { refuse(); }
  std::span<const std::uint16_t> max_freqs() const override { refuse(); }
  std::span<const std::uint16_t> min_lengths() const override { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw UsageError("there is nothing"); }
  Statistics statistics_;
};

Index index_of(const std::vector<std::uint64_t>& documents) {
  std::vector<std::shared_ptr<const Segment>> segments;
  for (const std::uint64_t count : documents) segments.push_back(std::make_shared<Large>(count));
  return {std::move(segments), AnalyzerConfig{}, ScoringDefaults{}};
}

TEST(Limits, ASegmentHasNoMoreDocumentsThanAListCanHavePostings) {
  EXPECT_EQ(index_of({kMaxDocuments}).statistics().documents, kMaxDocuments);
  EXPECT_THAT(
      [] {
        index_of({1, kMaxDocuments + 1});
      },
      ThrowsMessage<UsageError>(HasSubstr("a segment can have at most 536870912")));
}

TEST(Limits, AnIndexHasNoMoreDocumentsThanDocidsCanNumber) {
  std::vector<std::uint64_t> sizes(7, kMaxDocuments);
  sizes.push_back(kMaxDocuments - 1);
  EXPECT_EQ(index_of(sizes).statistics().documents, kMaxIndexDocuments);
  sizes.push_back(1);
  EXPECT_THROW(index_of(sizes), UsageError);
}

TEST(Limits, AManifestOfTooManySegmentsIsRefused) {
  test::TemporaryDirectory directory;
  test::write_index(directory.path(), test::random_collection(0, 0, 1, false, false));
  Manifest manifest = read_manifest(directory.path());
  SegmentRecord segment = manifest.segments.front();
  while (manifest.segments.size() < kMaxSegments) {
    segment.name = segment_name(manifest.segments.size() + 1);
    manifest.segments.push_back(segment);
  }
  EXPECT_NO_THROW(parse_manifest(to_json(manifest), "manifest.json"));
  segment.name = segment_name(manifest.segments.size() + 1);
  manifest.segments.push_back(segment);
  EXPECT_THAT([&] { parse_manifest(to_json(manifest), "manifest.json"); },
              ThrowsMessage<FormatError>(HasSubstr("are too many")));
}

}  // namespace
}  // namespace gannet::index
