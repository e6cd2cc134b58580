#include "tools/output/pruning_memory.hpp"

#include <fmt/format.h>

#include <string_view>

#include "index/lists/list_table.hpp"
#include "query/bounds/dense_lists.hpp"
#include "query/bounds/list_bounds.hpp"
#include "query/gpu/plan/pruned/list_stats.hpp"
#include "query/gpu/plan/pruned/tables.hpp"
#include "query/plan/plan.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

/// Of one list with bounds.
StructureBytes on_cpu(const index::Segment& segment) {
  StructureBytes bytes;
  bytes.bounds = query::padded_ranges(segment.statistics().documents);
  bytes.pointers = query::TilePointers::bytes_for(segment.statistics().documents);
  bytes.records = sizeof(query::ListBounds);
  return bytes;
}

StructureBytes on_device(const index::Segment& segment, std::uint32_t tiles, bool small_groups) {
  const std::uint64_t superblocks =
      query::cuda::padded_superblocks(static_cast<std::uint32_t>(segment.statistics().documents));
  StructureBytes bytes;
  bytes.bounds = superblocks * query::kRangesPerSuperblock;
  bytes.pointers = 2 * (superblocks + 1) + 4 * (superblocks / query::kPointerGroup + 1);
  if (small_groups) bytes.groups = 4 * (std::uint64_t{tiles} * query::cuda::kGroupsPerTile + 1);
  return bytes;
}

void add(const StructureBytes& more, StructureBytes& sum) {
  sum.bounds += more.bounds;
  sum.pointers += more.pointers;
  sum.groups += more.groups;
  sum.records += more.records;
}

/// The docids before small groups are kept for gpu-bp128 in both streams.
bool has_small_groups(const index::Segment& segment) {
  constexpr std::string_view kPacked = "gpu-bp128";
  return segment.docid_codec().name == kPacked && segment.freq_codec().name == kPacked;
}

void add_segment(const index::Segment& segment, double bits, PruningMemory& memory) {
  memory.postings += segment.statistics().postings;
  const std::uint64_t terms = segment.statistics().terms;
  memory.cuda.records += terms * sizeof(query::cuda::ListStats);
  if (bits <= 0) return;
  const std::uint32_t least = query::least_dense_count(segment, bits, {});
  index::ListTable::Cursor cursor(segment.list_table());
  while (cursor.next()) {
    const index::ListRow& row = cursor.row();
    if (row.count < least) continue;
    memory.bounded_lists += 1;
    memory.bounded_postings += row.count;
    add(on_cpu(segment), memory.cpu);
    add(on_device(segment, row.tiles(), has_small_groups(segment)), memory.cuda);
  }
}

double bits_a_posting(std::uint64_t bytes, const PruningMemory& memory) {
  if (memory.postings == 0) return 0;
  return 8 * static_cast<double>(bytes) / static_cast<double>(memory.postings);
}

Json memory_json(const StructureBytes& bytes, const PruningMemory& memory) {
  return {
      {"bounds", bytes.bounds},
      {"pointers", bytes.pointers},
      {"docids_before_groups", bytes.groups},
      {"list_records", bytes.records},
      {"bytes", bytes.all()},
      {"bits_per_posting", bits_a_posting(bytes.all(), memory)},
  };
}

void print_row(const char* name, std::uint64_t cpu, std::uint64_t cuda,
               const PruningMemory& memory) {
  const auto cell = [&](std::uint64_t bytes) {
    return fmt::format("{:>12} {:>6.2f}", human_bytes(static_cast<double>(bytes)),
                       bits_a_posting(bytes, memory));
  };
  print("  {:<34} {}  {}\n", name, cell(cpu), cell(cuda));
}

}  // namespace

PruningMemory pruning_memory(const index::Index& index, double bits) {
  PruningMemory memory;
  memory.bits = bits;
  for (const auto& segment : index.segments()) add_segment(*segment, bits, memory);
  return memory;
}

Json json_of(const PruningMemory& memory) {
  return {
      {"bounds_bits", memory.bits},
      {"lists_with_bounds", memory.bounded_lists},
      {"postings_with_bounds", memory.bounded_postings},
      {"cpu", memory_json(memory.cpu, memory)},
      {"cuda", memory_json(memory.cuda, memory)},
  };
}

void print_pruning_memory(const PruningMemory& memory) {
  print("\nmemory of pruned searches, a scorer, once all lists were searched (bits a posting)\n");
  print("  with bounds: {} of {}, with --bounds-bits {}\n", counted(memory.bounded_lists, "list"),
        counted(memory.bounded_postings, "posting"), memory.bits);
  print("  {:<34} {:>12} {:>6}  {:>12} {:>6}\n", "", "cpu", "bits", "cuda", "bits");
  const StructureBytes& cpu = memory.cpu;
  const StructureBytes& cuda = memory.cuda;
  print_row("bounds of 64 documents", cpu.bounds, cuda.bounds, memory);
  print_row("pointers to tiles", cpu.pointers, cuda.pointers, memory);
  print_row("docids before 32 postings", cpu.groups, cuda.groups, memory);
  print_row("of each list (cuda: on the host)", cpu.records, cuda.records, memory);
  print_row("together", cpu.all(), cuda.all(), memory);
}

}  // namespace gannet::tools
