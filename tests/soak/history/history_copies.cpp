// What a history makes of its index beside it: shards, the index that they give when they are
// joined, damaged copies and their repair.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/repair.hpp"
#include "index/split/split.hpp"
#include "index/verify.hpp"
#include "tests/soak/history/history.hpp"
#include "tests/soak/model/checks.hpp"
#include "tests/soak/model/question.hpp"
#include "tests/support/files.hpp"

namespace gannet::soak {

namespace fs = std::filesystem;

void History::check_everything() {
  need_an_index();
  const auto index = std::make_shared<const index::Index>(index::Index::open(path()));
  const Snapshot snapshot = read_snapshot(*index, archive_);
  expect_documents(snapshot.alive(), committed_);
  const query::Searcher searcher = searcher_of(index, random_);
  check_answers(searcher, snapshot, random_, 20);
  for (int i = 0; i < 4; ++i) check_columns(searcher, snapshot, random_);
  check_against_one_build(index, snapshot, random_, 20);
}

void History::check_set(const fs::path& set) {
  const auto index = std::make_shared<const index::Index>(index::Index::open(set));
  const Snapshot snapshot = read_snapshot(*index, archive_);
  expect_documents(snapshot.documents, committed_);
  for (const index::ShardRecord& shard : index::read_shard_set(set)) {
    const auto problems = index::verify_index(set / shard.name, 1).problems;
    if (!problems.empty()) throw Failure("a damaged shard: " + problems.front());
  }
  check_against_one_build(index, snapshot, random_, 6);
}

void History::shard() {
  need_an_index();
  close_writer();
  const auto set = [](const fs::path& disk) { return disk / "set"; };
  index::split_index(path(), set(disk_->path()), 1 + below(5), {.threads = 2});
  check_set(set(disk_->path()));
  if (may_crash()) {
    crash("shard", disk_->operations(), [&](const fs::path& disk, bool done) {
      check_directory(disk / "idx", archive_, committed_, random_);
      const bool whole = index::is_shard_set(set(disk));
      if (done && !whole) throw Failure("a set of shards is lost");
      if (whole) check_set(set(disk));
    });
  }
  if (index::is_shard_set(set(disk_->path()))) join(set(disk_->path()));
  fs::remove_all(set(disk_->path()));
  disk_->faults().begin_anew();
  durable_ = disk_->operations();
}

void History::join(const fs::path& set) {
  const auto joined = [](const fs::path& disk) { return disk / "joined"; };
  durable_ = disk_->operations();
  index::join_shards(set, joined(disk_->path()), {.threads = 2});
  check_directory(joined(disk_->path()), archive_, committed_, random_);
  if (may_crash()) {
    crash("join", disk_->operations(), [&](const fs::path& disk, bool done) {
      check_directory(disk / "idx", archive_, committed_, random_);
      check_set(disk / "set");
      const bool there = fs::exists(joined(disk) / "manifest.json");
      if (done && !there) throw Failure("a joined index is lost");
      if (there) check_directory(joined(disk), archive_, committed_, random_);
    });
  }
  const fs::path now = joined(disk_->path());
  if (fs::exists(now / "manifest.json") && one_in(2)) {
    commits_.move(path(), [&] {
      fs::remove_all(path());
      fs::rename(now, path());
    });
    take_what_is_there();
  }
  fs::remove_all(now);
}

/// Changes bytes of one of the files of segments; says whether anything is different.
bool History::damage(const fs::path& index) {
  // Not what a crash has left, which the next writer removes.
  const std::string manifest = test::read_file(index / "manifest.json");
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(index)) {
    const std::string name = entry.path().filename().string();
    if (manifest.find('"' + name + '"') != std::string::npos) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  const fs::path file = files[below(static_cast<unsigned>(files.size()))];
  const std::string sound = test::read_file(file);
  if (one_in(12)) return fs::remove(file);
  std::string bytes = sound;
  for (unsigned n = below(4); n > 0 && !bytes.empty(); --n) {
    bytes[below(static_cast<unsigned>(bytes.size()))] ^= static_cast<char>(1 + below(255));
  }
  if (one_in(8)) bytes.resize(below(static_cast<unsigned>(bytes.size()) + 1));
  test::write_file(file, bytes);
  return bytes != sound;
}

void History::repair_a_damaged_copy() {
  if (!options_.failures) return;
  need_an_index();
  close_writer();  // whose files come and go
  const test::TemporaryDirectory folder;
  const fs::path copy = folder / "idx", repaired = folder / "repaired";
  fs::copy(path(), copy, fs::copy_options::recursive);
  const bool damaged = damage(copy);
  try {  // whatever was changed: an answer, or an error that says what is wrong
    const auto index = std::make_shared<const index::Index>(index::Index::open(copy));
    searcher_of(index, random_).search(to_query(random_question(random_, 1000)));
  } catch (const Error&) {
    if (!damaged) throw;
  }
  const index::RepairReport report = index::repair_index(copy, repaired, {.threads = 2});
  if (report.problems.empty() == damaged) throw Failure("damage is not told right");
  const auto problems = index::verify_index(repaired, 1).problems;
  if (!problems.empty()) throw Failure("what was repaired is damaged: " + problems.front());
  const index::Index left = index::Index::open(repaired);
  if (report.nothing_missing()) {
    expect_documents(read_snapshot(left, archive_).documents, committed_);
  } else if (report.deletions_lost == 0 &&
             left.statistics().documents + report.documents_lost < committed_.size()) {
    throw Failure("repair has lost documents that it does not count");
  }
}

}  // namespace gannet::soak
