#include "query/gpu/device/matches/column_pass.hpp"

#include <algorithm>

namespace gannet::query::cuda {

using codecs::cuda::check;

void ColumnPass::wait() { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

void ColumnPass::abandon() noexcept { codecs::cuda::drain(stream_); }

/// Calls start(worker, i, sums) for the fields that are there.
template <class Worker, class Start>
void ColumnPass::start(Jobs<Worker>& jobs,
                       const std::vector<std::shared_ptr<const DeviceField>>& fields,
                       const Start& start) {
  while (jobs.size() < fields.size()) jobs.push_back(std::make_unique<Job<Worker>>(stream_));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    FieldSums* const sums = sums_.data() + used_sums_++;
    jobs[i]->started = fields[i] != nullptr && start(jobs[i]->worker, i, sums);
  }
}

/// Appends what the jobs have found. `reason`: why one may have found nothing.
template <class Worker, class Found>
void ColumnPass::take(Jobs<Worker>& jobs, std::size_t count, std::uint64_t matches,
                      ColumnReason reason, Found& found) {
  for (std::size_t i = 0; i < count; ++i) {
    const FieldSums& sums = host_sums_.data()[used_sums_++];
    found.emplace_back();
    if (jobs[i]->started) found.back() = jobs[i]->worker.take(sums, matches);
    if (jobs[i]->started && !found.back()) reasons_.add(reason);
  }
}

void ColumnPass::queue_first(const SegmentFields& fields, const FirstWanted& wanted,
                             const MatchBitmap& matches) {
  rows_.reset();
  first_started_ = !fields.first.empty() && matches.documents > 0;
  if (!first_started_) return;
  const FieldView& view = fields.first[0]->view();
  // A column with one value a document is read block by block. Documents without a value are asked
  // for later, if there are too few others.
  const bool single =
      fields.first.size() == 1 && view.starts == nullptr && !wanted.keys[0].missing_first;
  if (!single) return queue_rows(fields, wanted, matches);
  const auto append = [&](std::uint32_t stride, const CodeOrder& order, const KeyList& list, bool) {
    launch_first_codes(view, matches.words, stride, order, list, stream_);
  };
  CodeOrder order{};
  order.descending = wanted.keys[0].descending;
  first_.start(static_cast<std::uint32_t>(groups_of(matches.documents)), kGroupCodes, wanted.k,
               order, append);
}

void ColumnPass::queue_rows(const SegmentFields& fields, const FirstWanted& wanted,
                            const MatchBitmap& matches) {
  RowOrder& rows = rows_.emplace();
  rows.documents = matches.documents;
  rows.count = static_cast<std::uint32_t>(wanted.keys.size());
  for (std::size_t i = 0; i < wanted.keys.size(); ++i) {
    rows.fields[i] = {fields.first[i]->view(), fields.first[i]->column().code_limit(), 0,
                      wanted.keys[i].descending, wanted.keys[i].missing_first};
  }
  first_started_ = lay_out(rows);
  if (!first_started_) return reasons_.add(ColumnReason::kSeveralKeys);
  const auto append = [&](std::uint32_t stride, const CodeOrder& order, const KeyList& list, bool) {
    launch_first_rows(rows, matches.words, stride, order, list, stream_);
  };
  first_.start(static_cast<std::uint32_t>(groups_of(matches.documents)), kGroupCodes, wanted.k, {},
               append);
}

/// Copies the first codes of all bins to the device. `begins`: where each request's are.
const std::uint32_t* ColumnPass::send_bins(const SegmentFields& fields,
                                           std::vector<std::size_t>& begins) {
  std::vector<std::uint32_t> firsts;
  for (const CodeBins& bins : fields.bins) {
    begins.push_back(firsts.size());
    firsts.insert(firsts.end(), bins.firsts.begin(), bins.firsts.end());
  }
  if (firsts.empty()) return nullptr;
  arena_.reset(Arena::room<std::uint32_t>(firsts.size()));
  const std::uint32_t* const there = arena_.put(std::span<const std::uint32_t>(firsts));
  arena_.send(stream_);
  return there;
}

void ColumnPass::queue(const SegmentFields& fields, const ColumnWork& work,
                       const MatchBitmap& matches) {
  std::vector<std::size_t> begins;
  const std::uint32_t* const firsts = send_bins(fields, begins);
  const std::size_t sums = 1 + work.counted.size() + work.totals.size() + work.binned.size();
  FieldSums* const there = at_least(sums_, sums);
  check(cudaMemsetAsync(there, 0, sums * sizeof *there, stream_), "cudaMemsetAsync");
  launch_count_bits(matches.words, matches.documents, nullptr, &there->documents, stream_);
  used_sums_ = 1;
  start(counters_, fields.counted, [&](CodeCounter& counter, std::size_t i, FieldSums* to) {
    const bool started = counter.start(*fields.counted[i], fields.repeated[i].get(),
                                       work.counted[i], matches.words, matches.most, to);
    if (!started) reasons_.add(ColumnReason::kManyCodes);
    return started;
  });
  start(summers_, fields.totals, [&](CodeSummer& summer, std::size_t i, FieldSums* to) {
    const bool started = summer.start(*fields.totals[i], matches.words, to);
    if (!started) reasons_.add(ColumnReason::kDeviceMemory);
    return started;
  });
  start(binners_, fields.binned, [&](BinCounter& binner, std::size_t i, FieldSums* to) {
    binner.start(*fields.binned[i], fields.bins[i], firsts + begins[i], matches.words, to);
    return true;
  });
  if (work.first) queue_first(fields, *work.first, matches);
  fetch(at_least(host_sums_, sums), there, sums, stream_);
}

std::vector<FirstDocument> ColumnPass::found_first(const FirstWanted& wanted) {
  std::vector<FirstDocument> found;
  for (const std::uint64_t key : first_.keys()) {
    if (rows_) {
      found.push_back(rows_->row_of(key));
    } else {
      found.push_back({document_of_key(key), {code_of_key(key, wanted.keys[0].descending)}});
    }
  }
  return found;
}

void ColumnPass::take_first(const SegmentFields& fields, const FirstWanted& wanted,
                            const MatchBitmap& matches, SegmentFindings& findings) {
  if (wanted.k == 0 || findings.count == 0) {
    findings.first.emplace();
    return;
  }
  if (!first_started_) return;
  if (first_.lost()) return reasons_.add(ColumnReason::kManyHits);
  std::vector<FirstDocument> found = found_first(wanted);
  if (found.size() < std::min<std::uint64_t>(wanted.k, findings.count)) {
    // Documents without the field are among the first too.
    queue_rows(fields, wanted, matches);
    if (!first_started_) return;
    wait();
    if (first_.lost()) return reasons_.add(ColumnReason::kManyHits);
    found = found_first(wanted);
  }
  findings.first = std::move(found);
}

void ColumnPass::fetch_matches(const MatchBitmap& matches) {
  const std::size_t words = codecs::ceil_div(matches.documents, 64u);
  fetch(at_least(host_words_, words), matches.words, words, stream_);
}

DocumentBitmap ColumnPass::bitmap(std::uint32_t documents) const {
  DocumentBitmap bitmap(documents);
  std::copy_n(host_words_.data(), bitmap.words.size(), bitmap.words.begin());
  return bitmap;
}

SegmentFindings ColumnPass::run(const SegmentFields& fields, const ColumnWork& work,
                                const MatchBitmap& matches) {
  reasons_ = fields.reasons;
  queue(fields, work, matches);
  bool fetched = work.matches || !reasons_.none();
  if (fetched) fetch_matches(matches);
  wait();
  SegmentFindings findings;
  findings.count = host_sums_.data()[0].documents;
  used_sums_ = 1;
  constexpr ColumnReason kMany = ColumnReason::kManyCodes;
  constexpr ColumnReason kDamaged = ColumnReason::kDeviceMemory;
  take(counters_, work.counted.size(), findings.count, kMany, findings.counted);
  take(summers_, work.totals.size(), findings.count, kDamaged, findings.totals);
  take(binners_, work.binned.size(), findings.count, kMany, findings.binned);
  if (work.first) take_first(fields, *work.first, matches, findings);
  if (!fetched && !reasons_.none()) {
    fetch_matches(matches);
    wait();
    fetched = true;
  }
  if (fetched) findings.matches = bitmap(matches.documents);
  findings.reasons = reasons_;
  return findings;
}

}  // namespace gannet::query::cuda
