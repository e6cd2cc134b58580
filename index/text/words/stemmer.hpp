// Snowball stemming.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::index {

/// One stemming algorithm of libstemmer. Not thread-safe.
class Stemmer {
 public:
  /// `language` is one of stemmer_names(); "none" leaves words as they are. Throws UsageError
  /// otherwise.
  explicit Stemmer(const std::string& language);
  ~Stemmer();
  Stemmer(Stemmer&&) noexcept;
  Stemmer& operator=(Stemmer&&) noexcept;

  /// The stem of a lower-case word in UTF-8. The view is valid until the next call, or as long as
  /// `word`.
  std::string_view stem(std::string_view word);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;  ///< null: none
};

/// The Snowball languages there are, and "none".
std::vector<std::string> stemmer_names();

}  // namespace gannet::index
