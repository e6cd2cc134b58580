#include "index/index.hpp"

#include <new>
#include <system_error>

#include "index/segment_reader.hpp"

namespace gannet::index {

Index Index::open(const std::filesystem::path& path) {
  try {
    const IndexSnapshot snapshot = IndexSnapshot::of(path);
    const Manifest& manifest = snapshot.manifest;
    Index index;
    for (const SegmentFiles& files : snapshot.segments) {
      index.segments_.push_back(std::make_shared<SegmentReader>(files));
    }
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
