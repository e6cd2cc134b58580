#include "index/options_of_index.hpp"

#include <utility>

#include "codecs/base/error.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/files/format.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/manifest/manifest.hpp"
#include "index/shard_set.hpp"

namespace gannet::index {
namespace {

WriteOptions recorded_in(const Manifest& manifest) {
  const SegmentRecord& last = manifest.segments.back();
  WriteOptions options;
  options.append = true;
  options.docid_codec = &last.docid_codec();
  options.freq_codec = &last.freq_codec();
  options.analyzer = manifest.analyzer;
  options.defaults = manifest.defaults;
  options.store_text = last.find(kTextFile) != nullptr;
  options.positions = last.find(kPositionsFile) != nullptr;
  options.schema = manifest.schema;
  options.contents = manifest.contents;
  return options;
}

}  // namespace

// shards.json has the checksum of each shard's manifest, so that nothing of a set may change.
void refuse_shard_set(const std::filesystem::path& directory) {
  if (!is_shard_set(directory)) return;
  throw UsageError(
      directory.string() +
      ": is a set of shards, which can be searched and verified, and not changed; nothing was "
      "done. `gannet shard --join " +
      directory.string() +
      " --output IDX` makes one index of it, and `gannet shard IDX` cuts that into shards again. "
      "(A shard by itself is an index, but its set refuses it once it was changed.)");
}

WriteOptions write_options_of(const std::filesystem::path& directory) {
  refuse_shard_set(directory);
  return recorded_in(read_manifest(directory));
}

WriteOptions options_to_change(const std::filesystem::path& directory, std::stop_token stop,
                               std::shared_ptr<DirectoryLock> lock, double lock_wait) {
  refuse_shard_set(directory);
  if (lock == nullptr) {
    read_manifest(directory);  // throws where no index is: then there is nothing to lock
    lock = std::make_shared<DirectoryLock>(directory, lock_wait, stop);
  }
  const Manifest manifest = read_manifest(directory);
  WriteOptions options = recorded_in(manifest);
  options.generation = manifest.generation;
  options.stop = std::move(stop);
  options.lock = std::move(lock);
  return options;
}

WriteOptions options_for_copy(const std::filesystem::path& directory) {
  refuse_shard_set(directory);
  const Manifest manifest = read_manifest(directory);
  check_all_known(manifest, directory);
  WriteOptions options = recorded_in(manifest);
  options.append = false;
  return options;
}

}  // namespace gannet::index
