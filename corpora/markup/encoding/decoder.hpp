// Text of any encoding as UTF-8, in pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "corpora/markup/encoding/encoding.hpp"

namespace gannet::corpora {

/// Converts one text from its beginning to its end: characters may be cut between pieces. What an
/// encoding does not have becomes U+FFFD, and bytes are taken for characters as the WHATWG Encoding
/// standard has it. A byte order mark is a character like others. Not thread-safe; time in
/// proportion to the text.
class Decoder {
 public:
  /// Throws IoError if ICU's data is not there.
  explicit Decoder(Encoding encoding);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// Appends what the next bytes of the text stand for. `last`: the text ends behind them.
  void append(std::string_view bytes, bool last, std::string& out);

 private:
  class Converter;
  class Bytes;
  class Icu;
  std::unique_ptr<Converter> converter_;
};

/// All of a text as UTF-8: a view of it where nothing is to be converted, else of `room`; without
/// a byte order mark.
std::string_view decoded(std::string_view text, Encoding encoding, std::string& room);

}  // namespace gannet::corpora
