#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/atomic_file.hpp"
#include "index/files/checksum.hpp"
#include "index/files/file_system.hpp"
#include "index/files/messages.hpp"
#include "index/files/posix_file.hpp"
#include "index/files/unfinished_mark.hpp"
#include "index/manifest/directory.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/manifest/manifest_layout.hpp"
#include "index/shard_set.hpp"
#include "index/shards/shard_set_layout.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

bool is_shard_name(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr std::string_view kLead = "shard-";
  return name.size() == kLead.size() + 4 && name.starts_with(kLead) &&
         std::all_of(name.end() - 4, name.end(), is_digit);
}

/// Whether a writer of sets has made it, in a folder that is marked as one's or not: a shard only
/// if it holds nothing of others. Without the mark it may be anybody's index, or of a set that lost
/// its shards.json.
bool is_own(const fs::path& directory, const std::string& name, bool marked) {
  const std::string_view target = target_of_temporary(name);
  if (name == kUnfinishedName) return marked;
  if (name == kLockName || target == kShardSetName || target == kUnfinishedName) {
    std::error_code error;
    return fs::is_regular_file(fs::symlink_status(directory / name, error));
  }
  return marked && is_shard_name(name) && holds_only_own(directory / name);
}

/// Throws UsageError if a new set must not be written here.
void check_empty(const fs::path& directory) {
  refuse_within_index(directory);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(directory, error))) return;
  if (!fs::is_directory(directory, error)) {
    throw UsageError(directory.string() + ": not a directory; choose another output");
  }
  if (is_shard_set(directory)) {
    throw UsageError(directory.string() + ": there are shards already; choose another output");
  }
  // A writer makes its lock first: without it, nothing here is ours.
  const bool written_here = fs::exists(directory / kLockName, error);
  const bool marked = is_marked_unfinished(directory);
  for (const std::string& name : names_in(directory)) {
    if (written_here && is_own(directory, name, marked)) continue;
    throw UsageError(directory.string() + ": holds other files ('" + printable(name) +
                     "', or something in it); choose an empty or a new directory for the shards");
  }
}

std::string to_json(const std::vector<ShardRecord>& shards) {
  nlohmann::ordered_json json{{"format", kShardSetFormat}, {"version", kFormatVersion}};
  json["shards"] = nlohmann::ordered_json::array();
  for (const ShardRecord& shard : shards) {
    json["shards"].push_back({{"name", shard.name},
                              {"docid_base", shard.docid_base},
                              {"documents", shard.documents},
                              {"manifest", to_hex(shard.manifest)}});
  }
  return with_checksum(json.dump(2));
}

}  // namespace

struct ShardSetWriter::Impl {
  Impl(fs::path path, std::size_t number) : Impl(std::move(path)) {
    shards = number;
    if (shards == 0 || shards > kMaxShards) {
      throw UsageError("a set has 1 to " + std::to_string(kMaxShards) + " shards");
    }
    check_empty(directory);
    created = make_directories(directory);
    lock.emplace(directory);
    check_empty(directory);  // another writer may have been faster
    remove_shards();         // what a killed one has left
    mark_unfinished(directory);
    marked = true;
  }

  /// Runs also if the constructor above ends with an error.
  ~Impl() {
    if (kept || !lock) return;
    try {
      if (marked) remove_shards();
      if (names_in(directory) != std::vector<std::string>{kLockName}) return;
    } catch (const Error&) {  // the next writer removes them
      return;
    }
    file_system().remove(directory / kLockName);
    for (auto made = created.rbegin(); made != created.rend(); ++made) {
      file_system().remove(*made);  // not if anybody put something there
    }
  }

  /// The mark goes last: without it the shards would be nobody's.
  void remove_shards() const {
    const bool all = is_marked_unfinished(directory);
    for (const std::string& name : names_in(directory)) {
      if (name == kLockName || name == kUnfinishedName) continue;
      if (is_own(directory, name, all)) remove_tree(directory / name);
    }
    remove_tree(directory / kUnfinishedName);
  }

  fs::path directory;
  std::size_t shards = 0;
  std::vector<fs::path> created;
  std::optional<DirectoryLock> lock;
  bool marked = false;
  bool kept = false;

 private:
  explicit Impl(fs::path path) : directory(std::move(path)) {
    if (!directory.has_filename()) directory = directory.parent_path();  // "shards/"
  }
};

ShardSetWriter::ShardSetWriter(const fs::path& directory, std::size_t shards)
    : impl_(std::make_unique<Impl>(directory, shards)) {}

ShardSetWriter::~ShardSetWriter() = default;

fs::path ShardSetWriter::shard(std::size_t number) const {
  return impl_->directory / shard_name(number);
}

std::vector<ShardRecord> ShardSetWriter::commit() {
  std::vector<ShardRecord> shards = check_shards(impl_->directory, impl_->shards);
  const std::string json = to_json(shards);
  sync_directory(impl_->directory);  // the shards' names, before the set has them
  AtomicFile file(impl_->directory / kShardSetName);
  file.append(bytes_of(std::string_view(json)));
  file.finish();
  file.publish();
  impl_->kept = true;
  sync_directory(impl_->directory);
  try_remove_tree(impl_->directory / kUnfinishedName);  // a set has no use for it
  sync_made_directories(impl_->created);
  return shards;
}

}  // namespace gannet::index
