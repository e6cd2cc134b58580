#include "index/documents/id_lookup.hpp"

#include <xxhash.h>

#include <algorithm>

namespace gannet::index {
namespace {

constexpr std::uint64_t kDocumentsPerBucket = 8;

std::size_t bucket_of(std::uint32_t hash, unsigned bits) {
  return static_cast<std::size_t>(std::uint64_t{hash} >> (32 - bits));
}

}  // namespace

std::uint32_t id_hash(std::string_view id) {
  return static_cast<std::uint32_t>(XXH3_64bits(id.data(), id.size()) >> 32);
}

unsigned id_bucket_bits(std::uint64_t documents) {
  unsigned bits = 0;
  while (kDocumentsPerBucket << bits < documents) ++bits;
  return bits;
}

IdTables::IdTables(std::span<const std::uint32_t> hashes)
    : docids(hashes.size()), marks(hashes.size()) {
  const unsigned bits = id_bucket_bits(hashes.size());
  buckets.resize((std::size_t{1} << bits) + 1);
  for (const std::uint32_t hash : hashes) ++buckets[bucket_of(hash, bits) + 1];
  for (std::size_t b = 1; b < buckets.size(); ++b) buckets[b] += buckets[b - 1];
  // Each start moves up to its bucket's end, the next one's start, and back at last.
  for (Docid d = 0; d < hashes.size(); ++d) {
    const std::uint32_t place = buckets[bucket_of(hashes[d], bits)]++;
    docids[place] = d;
    marks[place] = static_cast<std::uint8_t>(hashes[d]);
  }
  std::shift_right(buckets.begin(), buckets.end(), 1);
  buckets.front() = 0;
}

std::size_t IdLookup::bucket_of(std::uint32_t hash) const {
  return index::bucket_of(hash, id_bucket_bits(docids_.size()));
}

bool IdLookup::operator==(const IdTables& tables) const {
  return std::ranges::equal(buckets_, tables.buckets) &&
         std::ranges::equal(docids_, tables.docids) && std::ranges::equal(marks_, tables.marks);
}

}  // namespace gannet::index
