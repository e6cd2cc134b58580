#include "index/updates/add.hpp"

#include <utility>

#include "codecs/base/error.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/files/format.hpp"
#include "index/inversion/recorded_options.hpp"
#include "index/manifest/manifest.hpp"
#include "index/shards/shard_set.hpp"

namespace gannet::index {
namespace {

void check_appends(const BuildOptions& options) {
  if (options.write.append) return;
  throw UsageError("documents are added with options of options_to_add_to()");
}

WriteOptions recorded_in(const Manifest& manifest) {
  const SegmentRecord& last = manifest.segments.back();
  WriteOptions options;
  options.append = true;
  options.docid_codec = &last.docid_codec();
  options.freq_codec = &last.freq_codec();
  options.analyzer = manifest.analyzer;
  options.defaults = manifest.defaults;
  options.store_text = last.find(kTextFile) != nullptr;
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
                               std::shared_ptr<DirectoryLock> lock) {
  refuse_shard_set(directory);
  if (lock == nullptr) {
    read_manifest(directory);  // throws where no index is: then there is nothing to lock
    lock = std::make_shared<DirectoryLock>(directory);
  }
  const Manifest manifest = read_manifest(directory);
  WriteOptions options = recorded_in(manifest);
  options.generation = manifest.generation;
  options.stop = std::move(stop);
  options.lock = std::move(lock);
  return options;
}

BuildOptions options_to_add_to(const std::filesystem::path& directory) {
  BuildOptions options;
  options.write = write_options_of(directory);
  if (recorded(options).analyzer != options.write.analyzer) {
    throw UsageError(directory.string() +
                     ": its text was analysed by other versions of the libraries that Gannet uses "
                     "here (`gannet inspect` lists them); build the index anew to add to it");
  }
  return options;
}

BuildReport add_documents(DocumentSource& source, const std::filesystem::path& directory,
                          const BuildOptions& options) {
  check_appends(options);
  return build_index(source, directory, options);
}

BuildReport add_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                         const BuildOptions& options) {
  check_appends(options);
  return build_inverted(source, directory, options);
}

}  // namespace gannet::index
