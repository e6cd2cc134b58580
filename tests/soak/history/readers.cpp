#include "tests/soak/history/readers.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "tests/soak/model/checks.hpp"

namespace gannet::soak {

Readers::Readers(Commits& commits, const Archive& archive, unsigned threads, unsigned seed)
    : commits_(commits), archive_(archive) {
  for (unsigned t = 0; t < threads; ++t) {
    threads_.emplace_back([this, own = seed * 1000 + t] { read(own); });
  }
}

Readers::~Readers() {
  stop_ = true;
  commits_.stop();
  for (std::thread& thread : threads_) thread.join();
}

void Readers::finish() {
  stop_ = true;
  commits_.stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  check();
}

void Readers::check() const {
  const std::lock_guard lock(mutex_);
  if (failure_) throw Failure("a reader: " + *failure_);
}

void Readers::read(unsigned seed) {
  std::mt19937 random(seed);
  try {
    while (!stop_) step(random);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = error.what();
  }
}

void Readers::step(std::mt19937& random) {
  if (random() % 4 == 0) look_again(random);
  const HeldPointer held = any(random);
  if (held == nullptr) {
    look_again(random);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return;
  }
  check_answers(held->searcher, held->snapshot, random, 3);
  questions_ += 4;
  if (random() % 4 == 0) check_columns(held->searcher, held->snapshot, random);
  // Readers are no more than company for the writer, which is to have most of the processor.
  std::this_thread::sleep_for(std::chrono::milliseconds(random() % 4));
}

Readers::HeldPointer Readers::any(std::mt19937& random) const {
  const std::lock_guard lock(mutex_);
  return held_.empty() ? nullptr : held_[random() % held_.size()];
}

void Readers::look_again(std::mt19937& random) {
  std::optional<query::Searcher> searcher;
  std::uint64_t life = 0;
  {
    const auto stay = commits_.stay();
    const std::optional<Commits::Place> place = commits_.place();
    if (!place) return;
    life = place->life;
    const HeldPointer before = any(random);
    if (before != nullptr && before->life == life) {
      searcher = before->searcher.refresh();
      if (!searcher) return;
    } else {
      searcher = searcher_of(std::make_shared<const index::Index>(index::Index::open(place->index)),
                             random);
    }
  }
  ++refreshes_;
  const std::optional<Documents> expected = commits_.wait_for(life, searcher->index().generation());
  if (!expected) return;
  Snapshot snapshot = read_snapshot(searcher->index(), archive_);
  expect_documents(snapshot.alive(), *expected);
  const std::lock_guard lock(mutex_);
  held_.push_back(
      std::make_shared<const Held>(Held{std::move(*searcher), std::move(snapshot), life}));
  if (held_.size() > kMaxHeld) {
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(random() % (held_.size() - 1)));
  }
}

}  // namespace gannet::soak
