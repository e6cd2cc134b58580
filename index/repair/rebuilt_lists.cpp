#include "index/repair/rebuilt_lists.hpp"

#include <atomic>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/builder.hpp"
#include "index/documents/recent_block.hpp"
#include "index/documents/stored_text.hpp"
#include "index/index.hpp"
#include "index/text/analysis_libraries.hpp"

namespace gannet::index {
namespace {

constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20;
constexpr Docid kBatchDocuments = 4096;

/// The stored texts of a segment, in the order of their docids. "Bytes" are documents.
class TextSource final : public DocumentSource {
 public:
  explicit TextSource(const StoredText& texts) : texts_(texts) {}

  std::unique_ptr<RawBatch> read() override {
    const auto end = static_cast<Docid>(texts_.documents());
    if (next_ == end) return nullptr;
    auto range = std::make_unique<Range>();
    range->first = next_;
    while (next_ < end && range->bytes < kBatchBytes && next_ - range->first < kBatchDocuments) {
      range->bytes += texts_.length(next_++);
    }
    range->end = next_;
    read_ = next_;
    return range;
  }

  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto batch = std::make_unique<Batch>();
    RecentBlock recent;
    for (Docid d = range.first; d < range.end; ++d) {
      batch->add({}, batch->texts.emplace_back(texts_.text(d, recent)));
    }
    return batch;
  }

  std::uint64_t bytes_read() const override { return read_; }
  std::uint64_t bytes_total() const override { return texts_.documents(); }

 private:
  struct Range final : RawBatch {
    std::size_t memory() const override { return bytes; }
    Docid first = 0, end = 0;
    std::size_t bytes = 0;
  };
  struct Batch final : ParsedBatch {
    std::deque<std::string> texts;
  };

  const StoredText& texts_;
  Docid next_ = 0;
  std::atomic<std::uint64_t> read_{0};
};

BuildOptions build_options(const Manifest& manifest, bool positions, const RepairOptions& options) {
  BuildOptions build;
  build.write.analyzer = manifest.analyzer;
  build.write.positions = positions;
  build.memory = options.memory;
  build.threads = options.threads;
  build.stop = options.stop;
  build.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    if (options.progress && stage == "inverting") options.progress("reading texts", done, total);
  };
  return build;
}

}  // namespace

std::shared_ptr<const Segment> lists_of_texts(const SegmentReader& damaged,
                                              const Manifest& manifest,
                                              const std::filesystem::path& directory,
                                              const RepairOptions& options) {
  if (damaged.text() == nullptr || manifest.defaults.payload.impacts) return nullptr;
  if (!library_differences(manifest.analyzer).empty()) return nullptr;
  try {
    TextSource source(*damaged.text());
    build_index(source, directory,
                build_options(manifest, damaged.positions() != nullptr, options));
  } catch (const FormatError&) {
    return nullptr;  // a text is damaged
  }
  return Index::open(directory).segments().front();
}

}  // namespace gannet::index
