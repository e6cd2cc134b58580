#include "corpora/markup/encoding/decoder.hpp"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

#include "codecs/base/error.hpp"
#include "corpora/markup/encoding/corrections.hpp"
#include "corpora/markup/encoding/utf8.hpp"

namespace gannet::corpora {

struct CloseIcuConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using IcuConverter = std::unique_ptr<UConverter, CloseIcuConverter>;

namespace {

constexpr char16_t kReplacementCharacter = 0xfffd;
constexpr std::string_view kMark = "\xef\xbb\xbf";

[[noreturn]] void fail(UErrorCode status) {
  throw IoError(std::string("ICU cannot convert text: ") + u_errorName(status) +
                "; is its data installed (package libicu)?");
}

/// What ICU calls an encoding: where its names mean others than the standard's, or where it has
/// several, those whose tables are the standard's but for kCorrections.
std::string icu_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::kGbk:
      return "gb18030";
    case Encoding::kBig5:
      return "Big5-HKSCS";
    case Encoding::kEucKr:
      return "windows-949";
    case Encoding::kShiftJis:
      return "ibm-943_P15A-2003";
    case Encoding::kEucJp:
      return "euc-jp-2007";
    case Encoding::kIso88598I:
      return "ISO-8859-8";
    case Encoding::kHz:
      return "HZ";
    default:
      return std::string(name_of(encoding));
  }
}

IcuConverter open_converter(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  IcuConverter converter(ucnv_open(name.c_str(), &status));
  if (U_FAILURE(status)) fail(status);
  return converter;
}

bool has_one_byte(Encoding encoding) {
  return encoding >= Encoding::kIbm866 && encoding <= Encoding::kUserDefined;
}

using Upper = std::array<char16_t, 128>;

Upper icu_upper(Encoding encoding) {
  Upper upper{};
  const IcuConverter converter = open_converter(icu_name(encoding));
  for (std::size_t i = 0; i < upper.size(); ++i) {
    const char byte = static_cast<char>(0x80 + i);
    UErrorCode status = U_ZERO_ERROR;
    std::array<char16_t, 4> made{};
    ucnv_reset(converter.get());
    const std::int32_t size = ucnv_toUChars(
        converter.get(), made.data(), static_cast<std::int32_t>(made.size()), &byte, 1, &status);
    upper[i] = U_SUCCESS(status) && size == 1 ? made[0] : kReplacementCharacter;
  }
  return upper;
}

Upper make_upper(Encoding encoding) {
  Upper upper{};
  if (encoding == Encoding::kUserDefined) {
    for (std::size_t i = 0; i < upper.size(); ++i) upper[i] = static_cast<char16_t>(0xf780 + i);
  } else if (encoding == Encoding::kIso885916) {
    for (std::size_t i = 0; i < 32; ++i) upper[i] = static_cast<char16_t>(0x80 + i);
    std::copy(kIso885916.begin(), kIso885916.end(), upper.begin() + 32);
  } else {
    upper = icu_upper(encoding);
  }
  for (const ByteCorrection& correction : kByteCorrections) {
    if (correction.encoding == encoding) upper[correction.byte - 0x80] = correction.meant;
  }
  return upper;
}

/// The characters of the bytes from 0x80, made once.
const Upper& upper_of(Encoding encoding) {
  static std::array<std::once_flag, kEncodings> made;
  static std::array<Upper, kEncodings> uppers;
  const auto i = static_cast<std::size_t>(encoding);
  std::call_once(made[i], [&] { uppers[i] = make_upper(encoding); });
  return uppers[i];
}

}  // namespace

class Decoder::Converter {
 public:
  virtual ~Converter() = default;
  virtual void append(std::string_view bytes, bool last, std::string& out) = 0;
};

/// A byte a character.
class Decoder::Bytes : public Converter {
 public:
  explicit Bytes(Encoding encoding) : upper_(upper_of(encoding)) {}

  void append(std::string_view bytes, bool /*last*/, std::string& out) override {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t begin = at;
      while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
      out.append(bytes, begin, at - begin);
      for (; at < bytes.size() && static_cast<unsigned char>(bytes[at]) >= 0x80; ++at) {
        append_utf8(upper_[static_cast<unsigned char>(bytes[at]) - 0x80u], out);
      }
    }
  }

 private:
  const Upper& upper_;
};

/// Converters of ICU, with what they lack.
class Decoder::Icu : public Converter {
 public:
  explicit Icu(Encoding encoding)
      : encoding_(encoding == Encoding::kGbk ? Encoding::kGb18030 : encoding),
        from_(open_converter(icu_name(encoding))),
        to_(open_converter("UTF-8")) {
    UErrorCode status = U_ZERO_ERROR;
    ucnv_setToUCallBack(from_.get(), mend, this, nullptr, nullptr, &status);
    if (U_FAILURE(status)) fail(status);
    corrected_ = std::any_of(kCorrections.begin(), kCorrections.end(),
                             [&](const Correction& c) { return c.encoding == encoding_; });
  }
  // The converter knows this object by its address.
  Icu(const Icu&) = delete;
  Icu& operator=(const Icu&) = delete;

  void append(std::string_view bytes, bool last, std::string& out) override {
    const std::size_t before = out.size();
    const char* source = bytes.empty() ? "" : bytes.data();
    const char* const source_end = source + bytes.size();
    for (bool more = true; more;) {
      UErrorCode status = U_ZERO_ERROR;
      std::array<char, 4096> made;  // NOLINT(cppcoreguidelines-pro-type-member-init): output
      char* target = made.data();
      ucnv_convertEx(to_.get(), from_.get(), &target, made.data() + made.size(), &source,
                     source_end, pivot_.data(), &pivot_source_, &pivot_target_,
                     pivot_.data() + pivot_.size(), 0, last ? 1 : 0, &status);
      out.append(made.data(), static_cast<std::size_t>(target - made.data()));
      more = status == U_BUFFER_OVERFLOW_ERROR;
      if (U_FAILURE(status) && !more) fail(status);
    }
    if (corrected_) correct(out, before);
  }

 private:
  /// ICU asks it for what bytes that are no character become.
  static void mend(const void* self, UConverterToUnicodeArgs* arguments, const char* bytes,
                   std::int32_t size, UConverterCallbackReason reason, UErrorCode* status) {
    if (reason > UCNV_IRREGULAR) return;
    *status = U_ZERO_ERROR;
    char16_t meant = kReplacementCharacter;
    if (size <= 2) {
      unsigned code = 0;
      for (std::int32_t i = 0; i < size; ++i) {
        code = code << 8 | static_cast<unsigned char>(bytes[i]);
      }
      meant = static_cast<const Icu*>(self)->character_of(code);
    }
    ucnv_cbToUWriteUChars(arguments, &meant, 1, 0, status);
  }

  char16_t character_of(unsigned bytes) const {
    for (const Correction& c : kCorrections) {
      if (c.encoding == encoding_ && c.bytes == bytes && c.converted == kReplacementCharacter) {
        return static_cast<char16_t>(first_of_utf8(c.meant));
      }
    }
    return kReplacementCharacter;
  }

  /// Replaces characters for private use, which are three bytes from 0xee on, from `begin`.
  void correct(std::string& text, std::size_t begin) const {
    std::string mended;
    std::size_t done = begin;
    for (std::size_t at = begin; at + 3 <= text.size(); ++at) {
      const auto lead = static_cast<unsigned char>(text[at]);
      if (lead != 0xee && lead != 0xef) continue;
      const std::uint32_t character = first_of_utf8(std::string_view(text).substr(at, 3));
      const auto* const found =
          std::find_if(kCorrections.begin(), kCorrections.end(), [&](const Correction& c) {
            return c.encoding == encoding_ && c.converted == character &&
                   c.converted != kReplacementCharacter;
          });
      if (found == kCorrections.end()) continue;
      mended.append(text, done, at - done);
      mended += found->meant;
      done = at + 3;
    }
    if (done == begin) return;
    mended.append(text, done);
    text.replace(begin, std::string::npos, mended);
  }

  Encoding encoding_;
  IcuConverter from_;
  IcuConverter to_;
  std::array<char16_t, 1024> pivot_{};
  char16_t* pivot_source_ = pivot_.data();
  char16_t* pivot_target_ = pivot_.data();
  bool corrected_ = false;
};

Decoder::Decoder(Encoding encoding) {
  if (has_one_byte(encoding)) {
    converter_ = std::make_unique<Bytes>(encoding);
  } else {
    converter_ =
        std::make_unique<Icu>(encoding == Encoding::kReplacement ? Encoding::kUtf8 : encoding);
  }
}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::append(std::string_view bytes, bool last, std::string& out) {
  converter_->append(bytes, last, out);
}

std::string_view decoded(std::string_view text, Encoding encoding, std::string& room) {
  if (encoding == Encoding::kUtf8 && is_utf8(text)) {
    return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
  }
  room.clear();
  room.reserve(text.size() + text.size() / 2);
  Decoder(encoding).append(text, true, room);
  return room.starts_with(kMark) ? std::string_view(room).substr(kMark.size()) : room;
}

}  // namespace gannet::corpora
