#include "tests/soak/history/history.hpp"

#include <exception>
#include <filesystem>
#include <utility>

#include "index/index.hpp"
#include "tests/soak/model/checks.hpp"

namespace gannet::soak {

namespace fs = std::filesystem;

void HistoryReport::add(const HistoryReport& other) {
  for (const auto& [kind, count] : other.steps) steps[kind] += count;
  for (const auto& [kind, count] : other.crashes) crashes[kind] += count;
  questions += other.questions;
  refreshes += other.refreshes;
}

History::History(const HistoryOptions& options) : options_(options), random_(options.seed) {
  replaced_.emplace(disk_->faults());
  commits_.move(path(), [] {});
  if (one_in(3)) ids_ = 900;
  readers_ = std::make_unique<Readers>(commits_, archive_, options.readers, options.seed);
}

History::~History() = default;

HistoryReport History::run() {
  unsigned number = 0;
  try {
    build();
    for (; number < options_.steps; ++number) {
      step();
      ++report_.steps[kind_];
      readers_->check();
    }
    close_writer();
    kind_ = "the end";
    check_everything();
    if (options_.at_end) options_.at_end(path(), archive_, committed_);
    readers_->finish();
  } catch (const std::exception& error) {
    throw Failure("seed " + std::to_string(options_.seed) + ", step " + std::to_string(number) +
                  " (" + kind_ + "): " + error.what());
  }
  report_.questions = readers_->questions();
  report_.refreshes = readers_->refreshes();
  return report_;
}

void History::step() {
  struct Choice {
    unsigned weight;
    const char* kind;
    void (History::*work)();
  };
  static constexpr Choice kChoices[] = {
      {30, "write", &History::write_something},
      {14, "commit", &History::commit},
      {4, "roll back", &History::roll_back},
      {3, "close", &History::close_writer},
      {4, "failing disk", &History::commit_on_a_failing_disk},
      {2, "build", &History::build},
      {6, "add", &History::add_some},
      {6, "update", &History::update_some},
      {4, "delete", &History::delete_ids},
      {4, "delete by query", &History::delete_by_query},
      {7, "merge", &History::merge},
      {4, "reorder", &History::reorder},
      {3, "shard", &History::shard},
      {5, "check", &History::check_everything},
      {4, "repair", &History::repair_a_damaged_copy},
  };
  unsigned all = 0;
  for (const Choice& choice : kChoices) all += choice.weight;
  unsigned at = below(all);
  const Choice* chosen = kChoices;
  while (at >= chosen->weight) at -= (chosen++)->weight;
  kind_ = chosen->kind;
  (this->*chosen->work)();
}

void History::change(const std::string& kind, const Documents& after, const Work& work) {
  change_to(kind, [&] {
    work();
    return after;
  });
}

void History::change_to(const std::string& kind, const std::function<Documents()>& work) {
  close_writer();
  const bool was_there = is_there_;
  changed(kind, work(), was_there);
}

void History::changed(const std::string& kind, const Documents& after, bool was_there) {
  const std::size_t end = disk_->operations();
  const index::Index now = index::Index::open(path());
  expect_documents(read_snapshot(now, archive_).alive(), after);
  is_there_ = true;
  const Documents before = std::exchange(committed_, after);
  pending_ = committed_;
  publish();
  if (may_crash()) {
    crash(kind, end, [&](const fs::path& disk, bool done) {
      const fs::path index = disk / "idx";
      if (!fs::exists(index / "manifest.json")) {
        if (done || was_there) throw Failure("there is no index any more");
        return;
      }
      const Documents found = read_snapshot(index::Index::open(index), archive_).alive();
      if (done || !was_there || found != before) expect_documents(found, after);
      check_directory(index, archive_, found, random_);
    });
    return;
  }
  tidy_log();
}

void History::tidy_log() {
  constexpr std::size_t kManyOperations = 3000;
  if (writer_ == nullptr && disk_->operations() > kManyOperations) disk_->faults().begin_anew();
  durable_ = disk_->operations();
}

void History::crash(const std::string& kind, std::size_t end, const Check& check) {
  close_writer();
  std::unique_ptr<Disk> left;
  for (unsigned i = 0; i < options_.crashes_at_once; ++i) {
    // Often where the last operations are, which make the change visible.
    const std::size_t operations = end - durable_;
    const std::size_t most = one_in(2) ? operations : std::min<std::size_t>(operations, 8);
    const std::size_t count = end - below(static_cast<unsigned>(most) + 1);
    const test::Crash way = test::kCrashes[below(std::size(test::kCrashes))];
    const unsigned seed = below(1u << 30);
    left = disk_->crashed(count, way, seed);
    ++report_.crashes[kind];
    try {
      check(left->path(), count == end);
    } catch (const std::exception& error) {
      throw Failure("a crash after operation " + std::to_string(count) + " of " +
                    std::to_string(durable_) + " to " + std::to_string(end) + " (way " +
                    std::to_string(static_cast<int>(way)) + ", seed " + std::to_string(seed) +
                    "): " + error.what());
    }
  }
  move_to(std::move(left));
}

void History::move_to(std::unique_ptr<Disk> disk) {
  const fs::path there = disk->path() / "idx";
  commits_.move(there, [&] {
    replaced_.reset();
    disk_ = std::move(disk);
    replaced_.emplace(disk_->faults());
  });
  take_what_is_there();
}

void History::take_what_is_there() {
  disk_->faults().begin_anew();
  durable_ = disk_->operations();
  is_there_ = fs::exists(path() / "manifest.json");
  committed_.clear();
  if (is_there_) committed_ = read_snapshot(index::Index::open(path()), archive_).alive();
  pending_ = committed_;
  publish();
}

void History::publish() {
  if (is_there_) commits_.publish(index::Index::open(path()).generation(), committed_);
}

}  // namespace gannet::soak
