// What is made of lists of a segment when a search first needs it, and kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "index/index.hpp"

namespace gannet::query {

/// A value for each of some terms of a segment, such as a list's bounds. Grows only: what was found
/// stays where it is. Any number of threads may use it; none waits for another.
template <class Value>
class KeptByTerm {
 public:
  /// `terms`: of the segment.
  explicit KeptByTerm(std::uint64_t terms)
      : pages_(new std::atomic<Page*>[terms / kPage + 1]()), terms_(terms) {}
  ~KeptByTerm() {
    for (std::uint64_t i = 0; i < terms_ / kPage + 1; ++i) {
      const std::unique_ptr<Page> page(pages_[i].load(std::memory_order_acquire));
      if (page == nullptr) continue;
      for (const auto& value : page->values) delete value.load(std::memory_order_acquire);
    }
  }
  KeptByTerm(const KeptByTerm&) = delete;
  KeptByTerm& operator=(const KeptByTerm&) = delete;

  /// Null if nobody has made it, as for unions of terms, whose numbers are beyond the segment's.
  const Value* find(index::TermId term) const {
    if (term >= terms_) return nullptr;  // a union (TermBinding)
    const Page* page = pages_[term / kPage].load(std::memory_order_acquire);
    return page == nullptr ? nullptr : page->values[term % kPage].load(std::memory_order_acquire);
  }

  /// Keeps the value of a term of the segment, unless another was kept meanwhile. True if it was
  /// kept.
  bool keep(index::TermId term, std::unique_ptr<const Value> value) {
    const Value* there = nullptr;
    std::atomic<const Value*>& slot = page(term).values[term % kPage];
    if (!slot.compare_exchange_strong(there, value.get(), std::memory_order_acq_rel)) return false;
    static_cast<void>(value.release());
    return true;
  }

 private:
  static constexpr std::uint32_t kPage = 512;
  struct Page {
    std::atomic<const Value*> values[kPage] = {};
  };

  Page& page(index::TermId term) {
    std::atomic<Page*>& slot = pages_[term / kPage];
    Page* there = slot.load(std::memory_order_acquire);
    if (there != nullptr) return *there;
    auto made = std::make_unique<Page>();
    if (!slot.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) return *there;
    return *made.release();
  }

  std::unique_ptr<std::atomic<Page*>[]> pages_;
  std::uint64_t terms_;
};

}  // namespace gannet::query
