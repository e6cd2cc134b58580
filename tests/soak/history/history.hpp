// A history of an index: documents come and go at random, segments are merged, machines crash,
// disks fail; after each step the index must be what a plain model says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "index/updates/writer.hpp"
#include "tests/soak/history/commits.hpp"
#include "tests/soak/history/disk.hpp"
#include "tests/soak/history/readers.hpp"
#include "tests/soak/model/snapshot.hpp"

namespace gannet::soak {

struct HistoryOptions {
  unsigned seed = 1;
  unsigned steps = 120;
  unsigned readers = 2;  ///< threads
  /// After a change that was made durable, one in so many is followed by crashes; 0: none.
  unsigned crash_one_in = 6;
  /// Crashes of the same change, in different ways. The history goes on from the last one.
  unsigned crashes_at_once = 1;
  bool failures = true;  ///< calls that fail, damaged copies
  /// What is done to the index at the end, when it is quiet.
  std::function<void(const std::filesystem::path& index, const Archive& archive,
                     const Documents& documents)>
      at_end = {};
};

struct HistoryReport {
  std::map<std::string, std::uint64_t> steps;    ///< by kind
  std::map<std::string, std::uint64_t> crashes;  ///< by the kind of change
  std::uint64_t questions = 0;                   ///< of readers
  std::uint64_t refreshes = 0;

  void add(const HistoryReport& other);
};

class History {
 public:
  explicit History(const HistoryOptions& options);
  ~History();

  /// Throws Failure that names the seed, the step and its kind.
  HistoryReport run();

 private:
  using Work = std::function<void()>;
  /// Whether a folder with what a crash has left is as it may be; `done`: nothing may be missing.
  using Check = std::function<void(const std::filesystem::path& disk, bool done)>;

  void step();

  // history_writer.cpp: the writer that stays.
  index::Writer& writer();
  void close_writer();
  void write_something();
  void commit();
  void roll_back();
  void commit_on_a_failing_disk();

  // history_commands.cpp: each is a commit of its own.
  void need_an_index();
  void build();
  void add_some();
  void update_some();
  void delete_ids();
  void delete_by_query();
  void merge();
  void reorder();

  // history_copies.cpp
  void check_everything();
  void check_set(const std::filesystem::path& set);
  void shard();
  void join(const std::filesystem::path& set);
  bool damage(const std::filesystem::path& index);
  void repair_a_damaged_copy();

  /// Does `work`, which makes the documents those of `after`, and sees whether it did; now and then
  /// the machine crashes on the way.
  void change(const std::string& kind, const Documents& after, const Work& work);
  /// The same of work that says itself what it has made of the documents.
  void change_to(const std::string& kind, const std::function<Documents()>& work);
  /// The same of work that was done. `was_there`: an index, before.
  void changed(const std::string& kind, const Documents& after, bool was_there);
  /// Crashes between what was durable before and operation `end`; the last disk that is left takes
  /// the place of this one.
  void crash(const std::string& kind, std::size_t end, const Check& check);
  void move_to(std::unique_ptr<Disk> disk);
  void take_what_is_there();
  void tidy_log();
  void publish();

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  bool may_crash() { return options_.crash_one_in != 0 && one_in(options_.crash_one_in); }
  std::filesystem::path path() const { return disk_->path() / "idx"; }
  std::string any_id() { return "d" + std::to_string(below(ids_)); }
  /// Of ids that are not there, each once; or of any.
  Documents new_versions(const Documents& there, bool of_new_ids);

  const HistoryOptions options_;
  std::mt19937 random_;
  unsigned ids_ = 90;  ///< documents have so many different ids
  Archive archive_;
  std::unique_ptr<Disk> disk_ = std::make_unique<Disk>();
  std::optional<index::ReplacedFileSystem> replaced_;
  std::unique_ptr<index::Writer> writer_;
  Documents committed_;
  Documents pending_;           ///< what the writer would commit
  std::size_t durable_ = 0;     ///< operations of the disk before what is going on
  bool is_there_ = false;       ///< an index was built
  std::string kind_ = "build";  ///< of the step
  Commits commits_;
  HistoryReport report_;
  std::unique_ptr<Readers> readers_;
};

}  // namespace gannet::soak
