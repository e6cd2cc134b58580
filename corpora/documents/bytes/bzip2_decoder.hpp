// bzip2 as a stream of bytes.
#pragma once

#include <bzlib.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "corpora/documents/bytes/member_decoder.hpp"

namespace gannet::corpora {

/// The first bytes of a stream with a block, and of one without: behind "BZh" and the size of
/// blocks.
inline constexpr std::string_view kBzip2Block = "1AY&SY";
inline constexpr std::string_view kBzip2End = "\x17\x72\x45\x38\x50\x90";

/// Whether a file that begins so is one of bzip2.
inline bool is_bzip2(std::string_view text) {
  constexpr std::size_t kSizeDigit = 3;
  if (!text.starts_with("BZh") || text.size() < kSizeDigit + 1) return false;
  if (text[kSizeDigit] < '1' || text[kSizeDigit] > '9') return false;
  const std::string_view rest = text.substr(kSizeDigit + 1);
  return rest.starts_with(kBzip2Block) || rest.starts_with(kBzip2End);
}

/// libbz2 over any number of streams: dumps of Wikipedia have one for every 100 pages. `File` is
/// that of ByteStream, `Base` its decoder.
template <class File, class Base>
class Bzip2Decoder final : public MemberDecoder<File, Base> {
 public:
  explicit Bzip2Decoder(File& file) { begin(file); }
  ~Bzip2Decoder() override { ::BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

 private:
  void begin(File& file) {
    stream_ = {};
    if (::BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) file.fail("not enough memory for bzip2");
    this->in_member_ = true;
  }

  std::size_t decode(File& file, char* out, std::size_t size) override {
    // A block is 900 KB at most: between looks at the stop token, no more is made of it.
    constexpr std::size_t kMaxAtATime = std::size_t{1} << 20;
    const std::size_t space = std::min(size, kMaxAtATime);
    stream_.next_in = file.data.data() + file.begin;
    stream_.avail_in = static_cast<unsigned>(file.end - file.begin);
    stream_.next_out = out;
    stream_.avail_out = static_cast<unsigned>(space);
    const int status = ::BZ2_bzDecompress(&stream_);
    file.begin = file.end - stream_.avail_in;
    const std::size_t made = space - stream_.avail_out;
    if (status == BZ_STREAM_END) {
      ::BZ2_bzDecompressEnd(&stream_);
      stream_ = {};
      this->in_member_ = false;
    } else if (status != BZ_OK) {
      if (status == BZ_MEM_ERROR) file.fail("not enough memory for bzip2");
      file.fail_damaged("damaged bzip2 data");
    }
    return made;
  }

  void next(File& file) override {
    if (file.data[file.begin] != 'B') file.fail_damaged("other bytes follow the bzip2 data");
    begin(file);
  }

  bz_stream stream_{};
};

}  // namespace gannet::corpora
