#include "tools/building/check_index.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"
#include "index/shard_set.hpp"

namespace gannet::tools {
namespace {

template <class F>
index::VerifyReport with_findings(F&& check) {
  try {
    index::VerifyReport report = check();
    for (std::string& problem : report.problems)
      problem.resize(index::without_advice(problem).size());
    return report;
  } catch (const VersionError&) {
    throw;
  } catch (const FormatError& e) {
    index::VerifyReport report;
    report.problems.emplace_back(e.what());
    return report;
  }
}

/// Adds the findings of a part, called `name`, to those of all.
void add_findings(const index::VerifyReport& part, const std::string& name,
                  index::VerifyReport& all) {
  for (const std::string& problem : part.problems) all.problems.push_back(name + problem);
  all.files += part.files;
  all.bytes += part.bytes;
  all.lists += part.lists;
  all.postings += part.postings;
  all.values += part.values;
  all.positions += part.positions;
  all.position_bytes += part.position_bytes;
}

template <class CheckOne>
index::VerifyReport check_set(const std::string& path, const CheckOne& check_one) {
  index::VerifyReport all;
  for (const index::ShardRecord& shard : index::read_shard_set(path)) {
    const std::string directory = (std::filesystem::path(path) / shard.name).string();
    const auto check_shard = [&] {
      index::check_shard_is_there(path, shard);
      return check_one(directory);
    };
    add_findings(with_findings(check_shard), shard.name + ": ", all);
  }
  ++all.files;
  if (!all.problems.empty()) return all;  // what is damaged need not fit together
  add_findings(with_findings([&] {
                 index::open_shards(path);
                 return index::VerifyReport{};
               }),
               "", all);
  return all;
}

}  // namespace

index::VerifyReport check_index(
    const std::string& path, unsigned threads,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress,
    const std::stop_token& stop) {
  const auto check_one = [&](const std::string& directory) {
    return with_findings([&] { return index::verify_index(directory, threads, progress, stop); });
  };
  if (!index::is_shard_set(path)) return check_one(path);
  return with_findings([&] { return check_set(path, check_one); });
}

}  // namespace gannet::tools
