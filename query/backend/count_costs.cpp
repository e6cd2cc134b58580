#include "query/backend/count_costs.hpp"

#include <algorithm>

namespace gannet::query {
namespace {

// Of the CPU back end, in ns on one thread. From bench/history/2026-11-27-counts-on-the-cpu.md:
// 93,369 documents, ORs of two query logs.

/// A plan whose lists are empty.
constexpr double kCpuPlan = 1500;
/// A posting that is read into a window.
constexpr double kCpuPosting = .65;
/// A word of 64 documents, of a bitmap or of the result: .4 us for a bitmap of 1,459 words.
constexpr double kCpuWord = .3;
/// Lists of at least one posting for so many documents have bitmaps, roughly: other lists are read.
constexpr double kDocumentsPerKeptPosting = 16;
/// A posting of the clause that drives, and a bit of a bitmap that it is looked up in: as
/// query/cpu/match_costs.cpp has them, 2 and 4 postings.
constexpr double kCpuDriver = 2 * kCpuPosting;
constexpr double kCpuBit = 4 * kCpuPosting;
/// Handing a batch to the threads: a single OR of 179,820 documents took 18 us in all.
constexpr double kCpuBatch = 10'000;

// Of the CUDA back end, in ns on an H200
// (bench/history/2026-11-27-filters-counts-and-columns-gpu.md).

/// Copies, launch and wait: a single OR of 179,820 documents took 26 us in all.
constexpr double kGpuBatch = 25'000;
/// A plan, packed by 16 threads of the host while the device works: ORs of 179,820 documents took
/// 178 ns, ANDs 259.
constexpr double kGpuPlan = 150;
/// A window of a plan, without its postings: ORs of 179,820 documents took 62 ns of the device.
constexpr double kGpuWindow = 11;
constexpr std::uint64_t kGpuWindowDocuments = 65'536;
/// A posting that is decoded: 32 warps a processor decode a tile of 128 in 1.2 us.
constexpr double kGpuPosting = .0025;

double frequency(const Plan& plan, std::uint32_t term) {
  return static_cast<double>(plan.terms()[term].document_frequency);
}

/// A list, as a bitmap or posting by posting.
double cpu_list(double postings, double words) {
  const bool kept = postings * kDocumentsPerKeptPosting >= 64 * words;
  return kept ? kCpuWord * words : kCpuPosting * postings;
}

/// The rarest clause drives: its postings are looked up in the bitmaps of the other terms.
double cpu_driven(const Plan& plan) {
  double least = 0;
  bool first = true;
  for (std::size_t i = 0; i < plan.clauses().size(); ++i) {
    const auto clause = plan.clauses()[i];
    double postings = 0;
    for (const std::uint32_t term : clause) postings += frequency(plan, term);
    const auto others = static_cast<double>(plan.terms().size() - clause.size());
    const double cost = postings * (kCpuDriver + kCpuBit * others);
    if (first || cost < least) least = cost;
    first = false;
  }
  return least;
}

double cpu_cost(const Plan& plan, double words) {
  double read = kCpuWord * words;
  if (!plan.filter().is_all()) read += kCpuWord * words;
  for (std::uint32_t term = 0; term < plan.terms().size(); ++term) {
    read += cpu_list(frequency(plan, term), words);
  }
  const bool can_drive = !plan.clauses().empty() && !plan.disjunction();
  return kCpuPlan + (can_drive ? std::min(read, cpu_driven(plan)) : read);
}

double gpu_cost(const Plan& plan, double windows, double words) {
  double cost = kGpuWindow * windows;
  for (std::uint32_t term = 0; term < plan.terms().size(); ++term) {
    cost += kGpuPosting * std::min(frequency(plan, term), words);
  }
  return cost;
}

}  // namespace

bool has_known_count_cost(const Plan& plan) {
  return plan.want() != Want::kTopK && !plan.has_unions() && plan.predicates().empty() &&
         (plan.filter().is_all() || plan.filter() == Filter::live());
}

CountCosts count_costs(std::span<const Plan> plans, std::uint64_t documents,
                       const CountProcessors& processors) {
  const double words = static_cast<double>(documents) / 64;
  const auto windows =
      static_cast<double>((documents + kGpuWindowDocuments - 1) / kGpuWindowDocuments);
  double cpu = 0;
  double device = 0;
  for (const Plan& plan : plans) {
    cpu += cpu_cost(plan, words);
    device += gpu_cost(plan, windows, words);
  }
  const double packing = kGpuPlan * static_cast<double>(plans.size());
  constexpr double kSecond = 1e9;
  return {(kCpuBatch + cpu / processors.threads) / kSecond,
          (kGpuBatch + std::max(packing, device / processors.gpus)) / kSecond};
}

}  // namespace gannet::query
