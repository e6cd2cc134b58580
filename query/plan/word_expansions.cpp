#include "query/plan/word_expansions.hpp"

#include <cstring>

#include "codecs/base/error.hpp"

namespace gannet::query {
namespace {

[[noreturn]] void fail_bytes() {
  throw FormatError("expansions of words: the bytes are malformed");
}

class BytesWriter {
 public:
  void number(std::uint64_t value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(value));
    std::memcpy(bytes_.data() + at, &value, sizeof(value));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class BytesReader {
 public:
  explicit BytesReader(std::string_view bytes) : left_(bytes) {}
  bool at_end() const { return left_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::uint32_t small_number() {
    const std::uint64_t value = number();
    if (value > 0xffffffffu) fail_bytes();
    return static_cast<std::uint32_t>(value);
  }
  std::string text() { return std::string(take(number())); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) fail_bytes();
    const std::string_view part = left_.substr(0, static_cast<std::size_t>(size));
    left_.remove_prefix(part.size());
    return part;
  }

  std::string_view left_;
};

}  // namespace

const WordExpansions::Terms* WordExpansions::find(const Word& word) const {
  const auto found = words_.find(word);
  return found == words_.end() ? nullptr : &found->second;
}

std::string WordExpansions::to_bytes() const {
  BytesWriter bytes;
  for (const auto& [word, terms] : words_) {
    bytes.number(word.text);
    bytes.text(word.word);
    bytes.number(word.max_expansions);
    bytes.number(word.fuzzy_prefix);
    bytes.number(terms.found);
    bytes.number(terms.terms.size());
    for (const std::string& term : terms.terms) bytes.text(term);
  }
  return bytes.take();
}

WordExpansions WordExpansions::from_bytes(std::string_view bytes) {
  WordExpansions made;
  BytesReader reader(bytes);
  while (!reader.at_end()) {
    Word word;
    word.text = reader.small_number();
    word.word = reader.text();
    word.max_expansions = reader.small_number();
    word.fuzzy_prefix = reader.small_number();
    Terms terms;
    terms.found = reader.number();
    for (std::uint64_t left = reader.number(); left > 0; --left) {
      terms.terms.push_back(reader.text());
    }
    made.add(std::move(word), std::move(terms));
  }
  return made;
}

}  // namespace gannet::query
