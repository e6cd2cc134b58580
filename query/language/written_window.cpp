#include "query/language/written_window.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace gannet::query {
namespace {

/// The window that a word with one of these beginnings is.
std::optional<WrittenWindow> window_of(std::string_view word, std::string_view beginning,
                                       WrittenWindow::Kind kind) {
  if (!word.starts_with(beginning)) return std::nullopt;
  const auto distance = window_distance(word.substr(beginning.size()));
  if (!distance || *distance == 0) return std::nullopt;
  return WrittenWindow{kind, *distance};
}

}  // namespace

WindowShape WrittenWindow::shape(std::vector<std::uint32_t> places) const {
  const auto words = static_cast<std::uint32_t>(places.size());
  const std::vector<std::uint32_t> together(words, 0);
  switch (kind) {
    case Kind::kPhrase:
      return {WindowKind::kNear, distance, std::move(places)};
    case Kind::kUnordered:
      return {WindowKind::kNear, distance - 1, together};
    case Kind::kNear:
      return {WindowKind::kNear, distance + words - 2, together};
    case Kind::kOrdered:
    case Kind::kOrderedNear:
      break;
  }
  if (is_exact()) return {WindowKind::kNear, 0, std::move(places)};
  if (kind == Kind::kOrdered) return {WindowKind::kGaps, distance, std::move(places)};
  const std::uint32_t last = places.back();
  return {WindowKind::kOrdered, distance - 1 + last, std::move(places)};
}

std::optional<std::uint32_t> window_distance(std::string_view digits) {
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  const bool plain =
      !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!plain) return std::nullopt;
  const auto [at, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || value > kMaxWindowDistance) return std::nullopt;
  return value;
}

std::optional<WrittenWindow> find_window_call(std::string_view word) {
  using Kind = WrittenWindow::Kind;
  for (const auto& [beginning, kind] :
       {std::pair{"#od", Kind::kOrdered}, std::pair{"#uw", Kind::kUnordered},
        std::pair{"#", Kind::kOrdered}}) {
    if (const auto found = window_of(word, beginning, kind)) return found;
  }
  return std::nullopt;
}

std::optional<WrittenWindow> find_near(std::string_view word) {
  if (const auto found = window_of(word, "NEAR/", WrittenWindow::Kind::kNear)) return found;
  return window_of(word, "ONEAR/", WrittenWindow::Kind::kOrderedNear);
}

}  // namespace gannet::query
