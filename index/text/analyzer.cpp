#include "index/text/analyzer.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <span>

#include "codecs/error.hpp"
#include "index/text/stopwords.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kLongestToken = 65535;

/// Appends the lower case of `text` up to the first byte outside ASCII; returns how many bytes that
/// are.
std::size_t append_ascii_lower(std::string_view text, std::string& out) {
  std::size_t i = 0;
  for (; i < text.size() && static_cast<unsigned char>(text[i]) < 0x80; ++i) {
    const char c = text[i];
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c);
  }
  return i;
}

/// Appends the lower case of the code point that `text` starts with; returns its size in bytes.
std::size_t append_code_point_lower(std::string_view text, std::string& out) {
  utf8proc_int32_t code_point = 0;
  const utf8proc_ssize_t read =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (read <= 0) {  // only callers that do not tokenize get here: keep the byte
    out.push_back(text[0]);
    return 1;
  }
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t written = utf8proc_encode_char(utf8proc_tolower(code_point), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(written));
  return static_cast<std::size_t>(read);
}

void append_lower(std::string_view text, std::string& out) {
  while (!text.empty()) {
    text.remove_prefix(append_ascii_lower(text, out));
    if (!text.empty()) text.remove_prefix(append_code_point_lower(text, out));
  }
}

}  // namespace

struct Analyzer::Impl {
  AnalyzerConfig config;
  Stemmer stemmer;
  std::span<const std::string_view> stopwords;
  std::string lower;  ///< the token being worked on
};

Analyzer::Analyzer(AnalyzerConfig config) : tokenizer_(config.tokenizer) {
  if (config.max_token_bytes < 1 || config.max_token_bytes > kLongestToken) {
    throw UsageError("the longest token must have 1 to " + std::to_string(kLongestToken) +
                     " bytes, not " + std::to_string(config.max_token_bytes));
  }
  Stemmer stemmer(config.stemmer);
  const auto stopwords = stopwords_named(config.stopwords);
  impl_ = std::make_unique<Impl>(Impl{std::move(config), std::move(stemmer), stopwords, {}});
}

Analyzer::~Analyzer() = default;
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;

const AnalyzerConfig& Analyzer::config() const { return impl_->config; }

void Analyzer::analyze(std::string_view text, std::vector<std::string>& terms) {
  tokenize(text, [&](std::string_view token) {
    const std::string_view term = term_of(token);
    if (!term.empty()) terms.emplace_back(term);
  });
}

std::string_view Analyzer::term_of(std::string_view token) {
  Impl& impl = *impl_;
  if (token.size() > impl.config.max_token_bytes) return {};
  if (impl.config.lowercase) {
    impl.lower.clear();
    append_lower(token, impl.lower);
    token = impl.lower;
  }
  if (std::binary_search(impl.stopwords.begin(), impl.stopwords.end(), token)) return {};
  return impl.stemmer.stem(token);
}

}  // namespace gannet::index
