// What a history does with a writer that stays.
#include <cerrno>
#include <filesystem>

#include "codecs/base/error.hpp"
#include "tests/soak/history/history.hpp"
#include "tests/soak/model/checks.hpp"

namespace gannet::soak {
namespace {

/// Whether `work` is refused with a UsageError.
template <class Work>
bool is_refused(Work work) {
  try {
    work();
  } catch (const UsageError&) {
    return true;
  }
  return false;
}

}  // namespace

index::Writer& History::writer() {
  if (writer_ == nullptr) {
    index::WriterOptions options{.build = build_options(), .merge_tier = 0};
    if (one_in(2)) options.merge_tier = 2 + below(4);
    const bool was_there = is_there_;
    writer_ = std::make_unique<index::Writer>(path(), options);
    if (!was_there) changed("build", {}, was_there);
  }
  // A crash may have ended the one that made an index.
  return writer_ == nullptr ? writer() : *writer_;
}

void History::close_writer() {
  writer_.reset();
  pending_ = committed_;
}

void History::write_something() {
  index::Writer& writer = this->writer();
  for (unsigned n = 1 + below(8); n > 0; --n) {
    const std::string id = any_id();
    const bool known = has(pending_, id);
    if (one_in(4)) {
      if (writer.remove(id) != known) throw Failure("remove(" + id + ") does not know it is there");
      take_away(pending_, id);
      continue;
    }
    const VersionPointer version = archive_.make(random_, id);
    const ReadyDocument document(*version);
    if (one_in(4)) {
      if (is_refused([&] { writer.add(document.view()); }) != known) {
        throw Failure("add(" + id + ") does not know whether it is there");
      }
      if (known) continue;
    } else {
      writer.update(document.view());
    }
    put(pending_, version);
  }
}

void History::commit() {
  index::Writer& writer = this->writer();
  if (one_in(2)) write_something();
  const Documents after = pending_;
  writer.commit();
  changed("commit", after, true);
}

void History::roll_back() {
  writer().rollback();
  pending_ = committed_;
  if (!may_crash()) return;
  // With work on the way that nobody has committed.
  write_something();
  close_writer();
  crash("uncommitted", disk_->operations(), [&](const std::filesystem::path& disk, bool) {
    check_directory(disk / "idx", archive_, committed_, random_);
  });
}

void History::commit_on_a_failing_disk() {
  if (!options_.failures) return;
  index::Writer& writer = this->writer();
  test::FaultFileSystem& faults = disk_->faults();
  const int error = one_in(2) ? ENOSPC : EIO;
  faults.fail_at(faults.calls() + below(80), error);
  bool failed = false;
  try {
    write_something();
    write_something();
    writer.commit();
  } catch (const Error&) {
    failed = true;
  }
  faults.fail_at(~std::size_t{0}, 0);
  const index::Index now = index::Index::open(path());
  const Documents found = read_snapshot(now, archive_).alive();
  if (!failed || found != committed_) expect_documents(found, pending_);
  if (writer.index()->generation() != now.generation()) {
    throw Failure("after an error the writer has not the index that is there");
  }
  committed_ = pending_ = found;
  publish();
  // The writer goes on. What was visible after the error need not have been durable; once another
  // commit is done, all is.
  if (one_in(3)) writer.rollback();
  const VersionPointer version = archive_.make(random_, any_id());
  writer.update(ReadyDocument(*version).view());
  put(pending_, version);
  writer.commit();
  expect_documents(read_snapshot(index::Index::open(path()), archive_).alive(), pending_);
  committed_ = pending_;
  publish();
  durable_ = disk_->operations();
}

}  // namespace gannet::soak
