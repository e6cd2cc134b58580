#include "index/files/checksum.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>
#include <new>

namespace gannet::index {

std::uint64_t xxh3(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

void Hasher::Free::operator()(void* state) const {
  XXH3_freeState(static_cast<XXH3_state_t*>(state));
}

Hasher::Hasher() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  reset();
}

void Hasher::reset() { XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_.get())); }

void Hasher::update(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_.get()), bytes.data(), bytes.size());
}

std::uint64_t Hasher::digest() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_.get()));
}

std::string to_hex(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

std::optional<std::uint64_t> from_hex(std::string_view text) {
  if (text.size() != 16) return std::nullopt;
  for (const char c : text) {
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) return std::nullopt;
  }
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

}  // namespace gannet::index
