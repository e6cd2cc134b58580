// Reading zstd: https://datatracker.ietf.org/doc/html/rfc8878
#pragma once

#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "codecs/base/cancellation.hpp"
#include "corpora/documents/bytes/member_decoder.hpp"

namespace gannet::corpora {

inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
inline constexpr std::string_view kDictionaryMagic = "\x5d\x2a\x4d\x18";
inline constexpr std::size_t kMaxDictionary = std::size_t{64} << 20;

/// Whether a file that begins so is zstd. Frames that are skipped (of 16 kinds) may come first, as
/// pzstd writes them.
inline bool is_zstd(std::string_view text) {
  const bool skippable = text.size() >= 4 && text[0] >= '\x50' && text[0] <= '\x5f' &&
                         text.substr(1, 3) == kDictionaryMagic.substr(1);
  return skippable || text.starts_with(kZstdMagic);
}

/// zstd's streaming decoder over any number of frames. `File` is that of ByteStream, `Base` its
/// decoder.
template <class File, class Base>
class ZstdDecoder : public Base {
 public:
  explicit ZstdDecoder(File& file) : context_(::ZSTD_createDCtx()) {
    if (context_ == nullptr) file.fail("not enough memory for zstd");
    // Files made with `zstd --long=31` need windows above the library's default limit.
    ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 31);
    if (file.starts_with(kDictionaryMagic)) load_dictionary(file);
  }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  std::size_t read(File& file, char* out, std::size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      throw_if_stopped(file.stop);
      // What is left in the decoder comes out without new input.
      const bool input_left = file.begin < file.end || file.refill();
      ZSTD_inBuffer input{file.data.data(), file.end, file.begin};
      const std::size_t before = output.pos;
      const std::size_t result = ::ZSTD_decompressStream(context_.get(), &output, &input);
      if (::ZSTD_isError(result) != 0) {
        file.fail_damaged(std::string("damaged zstd data: ") + ::ZSTD_getErrorName(result));
      }
      file.begin = input.pos;
      if (input_left) {
        inside_frame_ = result != 0;
      } else if (output.pos == before) {
        if (inside_frame_) file.fail_cut();
        break;
      }
    }
    return output.pos;
  }

 private:
  /// The dictionary of all frames, in a skippable frame before them, as in compressed WARC files:
  /// https://iipc.github.io/warc-specifications/specifications/warc-zstd/
  void load_dictionary(File& file) {
    std::string head = take(file, 8);
    std::size_t size = 0;
    for (std::size_t i = 8; i > 4; --i) size = size << 8 | static_cast<unsigned char>(head[i - 1]);
    if (size > kMaxDictionary) file.fail_damaged("a zstd dictionary of more than 64 MB");
    std::string dictionary = take(file, size);
    if (dictionary.starts_with(kZstdMagic)) dictionary = unpack(file, dictionary);
    const std::size_t result =
        ::ZSTD_DCtx_loadDictionary(context_.get(), dictionary.data(), dictionary.size());
    if (::ZSTD_isError(result) != 0) {
      file.fail_damaged(std::string("damaged zstd dictionary: ") + ::ZSTD_getErrorName(result));
    }
  }

  static std::string take(File& file, std::size_t size) {
    std::string bytes;
    while (bytes.size() < size) {
      if (file.begin == file.end && !file.refill()) file.fail_cut();
      const std::size_t part = std::min(size - bytes.size(), file.end - file.begin);
      bytes.append(file.data.data() + file.begin, part);
      file.begin += part;
    }
    return bytes;
  }

  std::string unpack(File& file, std::string_view packed) {
    std::string bytes(std::size_t{1} << 20, '\0');
    ZSTD_inBuffer input{packed.data(), packed.size(), 0};
    for (std::size_t filled = 0;;) {
      ZSTD_outBuffer output{bytes.data(), bytes.size(), filled};
      const std::size_t result = ::ZSTD_decompressStream(context_.get(), &output, &input);
      if (::ZSTD_isError(result) != 0) {
        file.fail_damaged(std::string("damaged zstd dictionary: ") + ::ZSTD_getErrorName(result));
      }
      const bool stuck = output.pos == filled && input.pos == input.size;
      filled = output.pos;
      if (result == 0 || stuck) {
        bytes.resize(filled);
        ::ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
        return bytes;
      }
      if (filled == bytes.size()) bytes.resize(2 * filled);
      if (filled > kMaxDictionary) file.fail_damaged("a zstd dictionary of more than 64 MB");
    }
  }

  struct Free {
    void operator()(ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  bool inside_frame_ = true;
};

}  // namespace gannet::corpora
