#include "index/text/words/stemmer.hpp"

#include <libstemmer.h>

#include <algorithm>
#include <new>

#include "codecs/base/error.hpp"

namespace gannet::index {
namespace {

std::string joined_names() {
  std::string joined;
  for (const std::string& name : stemmer_names()) {
    if (!joined.empty()) joined += ", ";
    joined += name;
  }
  return joined;
}

}  // namespace

struct Stemmer::Handle {
  explicit Handle(const char* language) : stemmer(sb_stemmer_new(language, "UTF_8")) {
    if (stemmer == nullptr) throw std::bad_alloc();
  }
  ~Handle() { sb_stemmer_delete(stemmer); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  sb_stemmer* stemmer;
};

Stemmer::Stemmer(const std::string& language) {
  const std::vector<std::string> names = stemmer_names();
  if (std::find(names.begin(), names.end(), language) == names.end()) {
    throw UsageError("no stemmer is called '" + language + "'; there are " + joined_names());
  }
  if (language != "none") handle_ = std::make_unique<Handle>(language.c_str());
}

Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string_view Stemmer::stem(std::string_view word) {
  if (!handle_) return word;
  const auto* const symbols = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* const stemmed =
      sb_stemmer_stem(handle_->stemmer, symbols, static_cast<int>(word.size()));
  if (stemmed == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stemmed),
          static_cast<std::size_t>(sb_stemmer_length(handle_->stemmer))};
}

std::vector<std::string> stemmer_names() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) names.emplace_back(*name);
  names.emplace_back("none");
  return names;
}

}  // namespace gannet::index
