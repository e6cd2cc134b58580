#include "index/index.hpp"

#include <new>
#include <system_error>

#include "index/manifest/manifest.hpp"
#include "index/segment_reader.hpp"

namespace gannet::index {
namespace {

std::shared_ptr<const Segment> open_segment(const std::filesystem::path& directory,
                                            const SegmentRecord& record) {
  auto segment = std::make_shared<SegmentReader>(directory, record);
  segment->check_lists();
  return segment;
}

/// Opens the segments of the manifest that is there. A writer may replace manifest and segments
/// between the two steps; then the manifest has changed, and the new one is tried.
std::vector<std::shared_ptr<const Segment>> open_segments(const std::filesystem::path& directory,
                                                          Manifest& manifest) {
  for (int attempt = 0;; ++attempt) {
    try {
      std::vector<std::shared_ptr<const Segment>> segments;
      for (const SegmentRecord& record : manifest.segments) {
        segments.push_back(open_segment(directory, record));
      }
      return segments;
    } catch (const Error&) {
      Manifest now = read_manifest(directory);
      if (attempt == 8 || now.generation == manifest.generation) throw;
      manifest = std::move(now);
    }
  }
}

}  // namespace

Index Index::open(const std::filesystem::path& path) {
  try {
    Manifest manifest = read_manifest(path);
    Index index;
    index.segments_ = open_segments(path, manifest);
    index.path_ = path;
    index.analyzer_ = manifest.analyzer;
    index.defaults_ = manifest.defaults;
    index.statistics_ = manifest.statistics;
    return index;
  } catch (const std::bad_alloc&) {
    throw IoError(path.string() + ": not enough memory to open the index");
  } catch (const std::system_error& error) {
    throw IoError(path.string() + ": cannot open the index: " + error.what());
  }
}

}  // namespace gannet::index
