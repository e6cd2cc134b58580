// Power cuts and disks that fail: what is left is the old or the new, never anything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "index/columns/column_file.hpp"
#include "index/index_writer.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/index/fault_file_system.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::Collection;
using test::Crash;
using test::FaultFileSystem;
using test::FileOperation;
using test::random_collection;
using test::read_file;
using test::TemporaryDirectory;
using test::write_index;

/// What a directory may hold after a crash.
enum State : unsigned { kNothing = 1, kOld = 2, kNew = 4, kBroken = 8 };

/// Crashes after every operation of `log` from `first` on, in every way; collects what is left, as
/// `state_of(directory)` sees it. `ignored` as in write_crashed().
unsigned states_after_crashes(const std::vector<FileOperation>& log, std::size_t first,
                              const std::function<State(const std::filesystem::path&)>& state_of,
                              std::size_t ignored = ~std::size_t{0}) {
  unsigned states = 0;
  for (std::size_t count = first; count <= log.size(); ++count) {
    for (const Crash crash : test::kCrashes) {
      const unsigned tries = crash == Crash::kRandom ? 4 : 1;
      for (unsigned seed = 0; seed < tries; ++seed) {
        const TemporaryDirectory disk;
        write_crashed(log, count, crash, seed, disk.path(), ignored);
        const State state = state_of(disk.path());
        states |= state;
        if (ignored == ~std::size_t{0} && state == kBroken) {
          ADD_FAILURE() << "after operation " << count << " of " << log.size() << ", crash "
                        << static_cast<int>(crash) << ", seed " << seed;
        }
      }
    }
  }
  return states;
}

/// Numbers of the syncs in `log` from `first` on.
std::vector<std::size_t> syncs_of(const std::vector<FileOperation>& log, std::size_t first) {
  std::vector<std::size_t> syncs;
  for (std::size_t i = first; i < log.size(); ++i) {
    if (log[i].kind == FileOperation::kSync || log[i].kind == FileOperation::kSyncDirectory) {
      syncs.push_back(i);
    }
  }
  return syncs;
}

class CrashingIndexes : public ::testing::Test {
 protected:
  static Collection collection(std::uint32_t documents) {
    return random_collection(documents, 12, documents);
  }

  /// Writes an index of 200 documents, then one of 300 in its place.
  void write_both() {
    const ReplacedFileSystem replaced(faults_);
    faults_.create_directory(root_);  // part of the log: the directory itself may get lost
    write_index(path_, collection(200));
    first_ = faults_.log().size();
    WriteOptions options;
    options.overwrite = true;
    write_index(path_, collection(300), options);
  }

  static State state_of(const std::filesystem::path& disk) {
    const std::filesystem::path index_path = disk / "a" / "index";
    if (!std::filesystem::exists(index_path / "manifest.json")) return kNothing;
    try {
      const Index index = Index::open(index_path);
      const std::uint64_t documents = index.statistics().documents;
      if (!verify_index(index_path, 1).problems.empty()) return kBroken;
      return documents == 200 ? kOld : documents == 300 ? kNew : kBroken;
    } catch (const Error&) {
      return kBroken;
    }
  }

  /// What is left of the whole log when nothing but the synced is.
  State final_state(std::size_t ignored = ~std::size_t{0}) const {
    const TemporaryDirectory disk;
    write_crashed(faults_.log(), faults_.log().size(), Crash::kLosesAll, 0, disk.path(), ignored);
    return state_of(disk.path());
  }

  TemporaryDirectory directory_;
  const std::filesystem::path root_ = directory_.path() / "disk";
  const std::filesystem::path path_ = root_ / "a" / "index";
  FaultFileSystem faults_{root_};
  std::size_t first_ = 0;  ///< operations of the first index
};

TEST_F(CrashingIndexes, AFirstBuildLeavesNothingOrTheIndex) {
  write_both();
  const std::vector<FileOperation> first(
      faults_.log().begin(), faults_.log().begin() + static_cast<std::ptrdiff_t>(first_));
  EXPECT_EQ(states_after_crashes(first, 0, state_of), kNothing | kOld);
}

/// Whatever names of files are left: they are known for a writer's, and no obstacle.
TEST_F(CrashingIndexes, TheNextWriterBeginsWhereAFirstBuildEnded) {
  write_both();
  for (std::size_t count = 0; count < first_; ++count) {
    for (unsigned seed = 0; seed < 40; ++seed) {
      const TemporaryDirectory disk;
      write_crashed(faults_.log(), count, Crash::kRandom, seed, disk.path());
      WriteOptions options;
      options.overwrite = true;
      ASSERT_NO_THROW(write_index(disk.path() / "a" / "index", collection(50), options))
          << "after operation " << count << ", seed " << seed;
    }
  }
}

TEST_F(CrashingIndexes, AnOverwriteLeavesTheOldOrTheNew) {
  write_both();
  EXPECT_EQ(states_after_crashes(faults_.log(), first_, state_of), kOld | kNew);
  EXPECT_EQ(final_state(), kNew) << "what commit() has returned from must last";
}

/// Without any one of its syncs an overwrite is unsafe, or not durable: none is for nothing, and
/// these tests can fail.
TEST_F(CrashingIndexes, EverySyncIsNeeded) {
  write_both();
  const std::vector<std::size_t> syncs = syncs_of(faults_.log(), first_);
  EXPECT_GE(syncs.size(), 6u);  // three files, the manifest, the directory twice
  for (const std::size_t sync : syncs) {
    const bool broken =
        (states_after_crashes(faults_.log(), first_, state_of, sync) & (kBroken | kNothing)) != 0;
    EXPECT_TRUE(broken || final_state(sync) != kNew)
        << "sync " << sync << " of " << faults_.log()[sync].path;
  }
}

TEST_F(CrashingIndexes, TheNextWriterClearsUp) {
  write_both();
  for (std::size_t count = first_; count <= faults_.log().size(); ++count) {
    const TemporaryDirectory disk;
    write_crashed(faults_.log(), count, Crash::kLosesNothing, 0, disk.path());
    WriteOptions options;
    options.overwrite = true;
    write_index(disk.path() / "a" / "index", collection(100), options);
    EXPECT_EQ(test::names_in(disk.path() / "a" / "index").size(), 5u) << count;
  }
}

/// Every call fails once, in every way, with short writes all along.
TEST_F(CrashingIndexes, FailingCallsLeaveTheOldOrTheNew) {
  const Collection old = collection(200);
  std::size_t calls = 0;
  {
    FaultFileSystem counting(root_);
    std::filesystem::create_directory(root_);
    write_index(path_, old);
    const ReplacedFileSystem replaced(counting);
    counting.limit_writes(1000);
    WriteOptions options;
    options.overwrite = true;
    write_index(path_, collection(300), options);
    calls = counting.calls();
  }
  ASSERT_GT(calls, 20u);
  int failed = 0;
  for (std::size_t call = 0; call < calls; ++call) {
    for (const int error : {EIO, ENOSPC}) {
      std::filesystem::remove_all(root_);
      std::filesystem::create_directory(root_);
      write_index(path_, old);
      FaultFileSystem faults(root_);
      faults.limit_writes(1000);
      faults.fail_at(call, error);
      {
        const ReplacedFileSystem replaced(faults);
        WriteOptions options;
        options.overwrite = true;
        try {
          write_index(path_, collection(300), options);
        } catch (const IoError& problem) {
          ++failed;
          EXPECT_THAT(problem.what(), ::testing::HasSubstr(path_.string()));
        }
      }
      const State state = state_of(root_);
      EXPECT_TRUE(state == kOld || state == kNew) << call << ", " << error;
    }
  }
  EXPECT_GT(failed, 20);
}

class CrashingFiles : public ::testing::Test {
 protected:
  void write_column(std::uint8_t value) {
    ColumnOptions options;
    options.codec = "none";
    ColumnWriter writer(root_ / "a.column", codecs::ValueType::kU8, options);
    writer.append(std::vector<std::byte>(5000, std::byte{value}));
    writer.finish();
    writer.publish();
  }

  static State state_of(const std::filesystem::path& disk) {
    if (!std::filesystem::exists(disk / "a.column")) return kNothing;
    try {
      const ColumnFile file(disk / "a.column");
      std::vector<std::byte> values;
      file.decode(0, file.count(), [&](std::span<const std::byte> part) {
        values.insert(values.end(), part.begin(), part.end());
      });
      if (values == std::vector<std::byte>(5000, std::byte{1})) return kOld;
      return values == std::vector<std::byte>(5000, std::byte{2}) ? kNew : kBroken;
    } catch (const Error&) {
      return kBroken;
    }
  }

  TemporaryDirectory directory_;
  const std::filesystem::path root_ = directory_.path();
  FaultFileSystem faults_{root_};
};

TEST_F(CrashingFiles, AColumnIsTheOldOrTheNew) {
  std::size_t first = 0;
  {
    const ReplacedFileSystem replaced(faults_);
    write_column(1);
    first = faults_.log().size();
    write_column(2);
  }
  EXPECT_EQ(states_after_crashes(faults_.log(), first, state_of), kOld | kNew);
  for (const std::size_t sync : syncs_of(faults_.log(), first)) {
    const unsigned states = states_after_crashes(faults_.log(), first, state_of, sync);
    const TemporaryDirectory disk;
    write_crashed(faults_.log(), faults_.log().size(), Crash::kLosesAll, 0, disk.path(), sync);
    EXPECT_TRUE((states & kBroken) != 0 || state_of(disk.path()) != kNew) << sync;
  }
}

}  // namespace
}  // namespace gannet::index
