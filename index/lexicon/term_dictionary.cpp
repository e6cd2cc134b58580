#include "index/lexicon/term_dictionary.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "codecs/base/error.hpp"
#include "index/text/words/seeded_hash.hpp"

namespace gannet::index {
namespace {

constexpr unsigned kShardBits = 6;
constexpr std::uint32_t kShards = 1u << kShardBits;
constexpr std::size_t kChunk = std::size_t{16} << 10;
constexpr std::uint32_t kShardLimit = (1u << (32 - kShardBits)) - 1;

}  // namespace

struct alignas(64) TermDictionary::Shard {
  struct Record {
    const char* data;
    std::uint32_t size;
    std::uint32_t tag;  ///< hash bits that the slot's position does not tell
  };

  /// The index of a term in `records`, appended if it is new.
  std::uint32_t find_or_add(std::string_view term, std::uint64_t hash);
  const char* store(std::string_view term);
  void grow();

  std::mutex mutex;
  std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(64);  ///< index + 1, or 0
  std::vector<Record> records;
  std::vector<std::unique_ptr<char[]>> chunks;
  char* free = nullptr;  ///< rest of the last chunk
  std::size_t room = 0;
  std::uint64_t chunk_bytes = 0;
  std::atomic<std::uint64_t> memory{0};
  std::atomic<std::uint64_t> size{0};
};

std::uint32_t TermDictionary::Shard::find_or_add(std::string_view term, std::uint64_t hash) {
  const auto tag = static_cast<std::uint32_t>(hash);
  std::size_t slot = tag & (slots.size() - 1);
  for (; slots[slot] != 0; slot = (slot + 1) & (slots.size() - 1)) {
    const Record& record = records[slots[slot] - 1];
    if (record.tag == tag && std::string_view(record.data, record.size) == term) {
      return slots[slot] - 1;
    }
  }
  const auto index = static_cast<std::uint32_t>(records.size());
  if (index >= kShardLimit) throw UsageError("too many distinct terms in a run; lower --memory");
  records.push_back({store(term), static_cast<std::uint32_t>(term.size()), tag});
  slots[slot] = index + 1;
  if (records.size() * 4 > slots.size() * 3) grow();
  memory = chunk_bytes + slots.size() * sizeof(std::uint32_t) + records.capacity() * sizeof(Record);
  size = records.size();
  return index;
}

const char* TermDictionary::Shard::store(std::string_view term) {
  if (term.size() > room) {
    const std::size_t bytes = std::max(kChunk, term.size());
    chunks.emplace_back(new char[bytes]);
    chunk_bytes += bytes;
    free = chunks.back().get();
    room = bytes;
  }
  char* const stored = free;
  std::memcpy(stored, term.data(), term.size());
  free += term.size();
  room -= term.size();
  return stored;
}

void TermDictionary::Shard::grow() {
  std::vector<std::uint32_t> larger(slots.size() * 2);
  for (std::uint32_t index = 0; index < records.size(); ++index) {
    std::size_t slot = records[index].tag & (larger.size() - 1);
    while (larger[slot] != 0) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = index + 1;
  }
  slots = std::move(larger);
}

TermDictionary::TermDictionary() : shards_(new Shard[kShards]) {}
TermDictionary::~TermDictionary() = default;

TermNumber TermDictionary::number_of(std::string_view term) {
  const std::uint64_t hash = seeded_hash(term);
  const auto number = static_cast<std::uint32_t>(hash >> (64 - kShardBits));
  Shard& shard = shards_[number];
  const std::lock_guard lock(shard.mutex);
  return shard.find_or_add(term, hash) << kShardBits | number;
}

TermNumber TermDictionary::bound() const {
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < kShards; ++i) most = std::max(most, shards_[i].records.size());
  return static_cast<TermNumber>(most << kShardBits);
}

std::size_t TermDictionary::longest_run() const {
  std::size_t longest = 0;
  for (std::uint32_t i = 0; i < kShards; ++i) {
    std::size_t run = 0;
    for (const std::uint32_t slot : shards_[i].slots) {
      run = slot == 0 ? 0 : run + 1;
      longest = std::max(longest, run);
    }
  }
  return longest;
}

std::string_view TermDictionary::term(TermNumber number) const {
  const Shard& shard = shards_[number & (kShards - 1)];
  const std::size_t index = number >> kShardBits;
  if (index >= shard.records.size()) return {};
  return {shard.records[index].data, shard.records[index].size};
}

std::uint64_t TermDictionary::size() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < kShards; ++i) sum += shards_[i].size;
  return sum;
}

std::uint64_t TermDictionary::memory() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < kShards; ++i) sum += shards_[i].memory;
  return sum;
}

void TermDictionary::clear() { shards_.reset(new Shard[kShards]); }

}  // namespace gannet::index
