// Index::open(): an index, or the shards of a set as one.
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/index.hpp"
#include "index/manifest/index_snapshot.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/segment/live_documents.hpp"
#include "index/shard_set.hpp"

namespace gannet::index {
namespace {

/// The segment of `before` that has these files, or nullptr.
std::shared_ptr<const Segment> segment_in(const Index& before, const SegmentRecord& record,
                                          const Schema& schema) {
  if (before.schema() != schema) return nullptr;
  for (const auto& segment : before.segments()) {
    const auto* const open = dynamic_cast<const SegmentReader*>(segment.get());
    if (open != nullptr && open->is_of(record)) return segment;
  }
  return nullptr;
}

std::shared_ptr<const LiveDocuments> live_of(const SegmentFiles& files) {
  const SegmentRecord& record = files.record();
  if (record.deleted == 0) return nullptr;
  auto live =
      std::make_shared<const LiveDocuments>(files.path_of(kLiveFile.name), files.file(kLiveFile),
                                            record.statistics.documents, record.deleted);
  files.check_identity(*live->file(), kLiveFile);
  return live;
}

}  // namespace

Index Index::open(const std::filesystem::path& path) { return open(path, nullptr); }

Index Index::open(const std::filesystem::path& path, const Index& before) {
  return open(path, &before);
}

Index Index::open(const std::filesystem::path& path, const Index* before) {
  if (is_shard_set(path)) return open_shards(path, before);
  try {
    const IndexSnapshot snapshot = IndexSnapshot::of(path);
    const Manifest& manifest = snapshot.manifest;
    std::vector<std::shared_ptr<const Segment>> segments;
    std::vector<std::shared_ptr<const LiveDocuments>> live;
    for (const SegmentFiles& files : snapshot.segments) {
      auto segment =
          before == nullptr ? nullptr : segment_in(*before, files.record(), manifest.schema);
      if (segment == nullptr) segment = std::make_shared<SegmentReader>(files, manifest.schema);
      segments.push_back(std::move(segment));
      live.push_back(live_of(files));
    }
    Index index(std::move(segments), manifest.analyzer, manifest.defaults, manifest.schema,
                std::move(live));
    index.path_ = path;
    index.statistics_ = manifest.statistics;
    index.generation_ = manifest.generation;
    return index;
  } catch (const std::bad_alloc&) {
    throw IoError(path.string() + ": not enough memory to open the index");
  } catch (const std::system_error& error) {
    throw IoError(path.string() + ": cannot open the index: " + error.what());
  }
}

}  // namespace gannet::index
