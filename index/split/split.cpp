#include "index/split/split.hpp"

#include <algorithm>
#include <utility>

#include "index/commit/segment_copy.hpp"
#include "index/index_writer.hpp"
#include "index/options_of_index.hpp"
#include "index/updates/merge/write_merged.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Of the documents that are not deleted, those from `first` on, `count` of them.
std::vector<MergedSegment> documents_of(const Index& index, std::uint64_t first,
                                        std::uint64_t count) {
  std::vector<MergedSegment> parts;
  Docid base = 0;
  for (std::size_t s = 0; s < index.segments().size() && count > 0; ++s) {
    MergedSegment part(*index.segments()[s], index.live(s), base);
    const std::uint64_t skipped = std::min(first, part.documents());
    const std::uint64_t taken = std::min(count, part.documents() - skipped);
    first -= skipped;
    count -= taken;
    if (taken == 0) continue;
    part.keep(skipped, taken);
    base += static_cast<Docid>(taken);
    parts.push_back(std::move(part));
  }
  return parts;
}

MergeWork work_of(const ShardOptions& options) {
  return {BuildBudget::of(options.memory, thread_count(options.threads)), options.stop,
          options.progress};
}

/// For a new index like the one in `path`.
WriteOptions options_like(const fs::path& path, const std::stop_token& stop) {
  WriteOptions write = options_for_copy(path);
  write.stop = stop;
  return write;
}

Statistics write_index(const Index& index, std::uint64_t first, std::uint64_t count,
                       const fs::path& output, const WriteOptions& options, const MergeWork& work) {
  const std::vector<MergedSegment> parts = documents_of(index, first, count);
  IndexWriter writer(output, options);
  write_merged(parts, index.schema(), work, writer);
  return writer.commit();
}

}  // namespace

std::vector<ShardRecord> split_index(const fs::path& path, const fs::path& output,
                                     std::size_t shards, const ShardOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const ShardOptions& limited) {
      return split_index(path, output, shards, limited);
    });
  }
  const Index index = Index::open(path);
  const WriteOptions write = options_like(path, options.stop);
  const MergeWork work = work_of(options);
  ShardSetWriter set(output, shards);
  const std::uint64_t documents = index.statistics().documents - index.deleted_documents();
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < shards; ++i) {
    const std::uint64_t end = documents * (i + 1) / shards;
    write_index(index, first, end - first, set.shard(i), write, work);
    first = end;
  }
  return set.commit();
}

Statistics join_shards(const fs::path& set, const fs::path& output, const ShardOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(
        options, [&](const ShardOptions& limited) { return join_shards(set, output, limited); });
  }
  const Index index = open_shards(set);
  const WriteOptions write = options_like(set / shard_name(0), options.stop);
  for (const ShardRecord& shard : read_shard_set(set)) {
    const fs::path path = set / shard.name;
    check_all_known(read_manifest(path), path);  // any of them may have what the others have not
  }
  return write_index(index, 0, index.statistics().documents - index.deleted_documents(), output,
                     write, work_of(options));
}

}  // namespace gannet::index
