#include "corpora/documents/web/content_coding.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "codecs/base/error.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr int kMaxCodings = 4;
constexpr std::size_t kStep = std::size_t{1} << 16;

[[noreturn]] void fail(std::string_view coding, const std::string& why) {
  throw InputError("the content is damaged " + std::string(coding) + " data: " + why);
}

/// Room for more output behind the `filled` bytes of `out`, which grows in proportion to its size.
void make_room(std::string& out, std::size_t filled, std::size_t limit) {
  if (filled > limit) {
    throw InputError("the content has more than " + std::to_string(limit) +
                     " bytes when it is decompressed");
  }
  if (out.size() - filled < kStep) out.resize(filled + std::max(kStep, filled));
}

struct EndInflate {
  void operator()(z_stream* stream) const { ::inflateEnd(stream); }
};

/// Inflates as zlib's `window` says; false if the data does not begin so.
bool inflate_all(std::string_view body, int window, std::size_t limit, std::string& out) {
  z_stream stream{};
  if (::inflateInit2(&stream, window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, EndInflate> end(&stream);
  std::size_t filled = 0;
  out.clear();
  for (;;) {
    make_room(out, filled, limit);
    const std::size_t in = std::min(body.size(), std::size_t{1} << 30);
    const std::size_t room = std::min(out.size() - filled, std::size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream.avail_out = static_cast<uInt>(room);
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    body.remove_prefix(in - stream.avail_in);
    filled += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      if (!body.starts_with("\x1f\x8b")) break;  // else another member of gzip
      ::inflateReset(&stream);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      if (filled == 0) return false;
      fail("gzip or deflate", stream.msg != nullptr ? stream.msg : "inflate failed");
    } else if (body.empty() && stream.avail_out > 0) {
      break;
    }
  }
  make_room(out, filled, limit);
  out.resize(filled);
  return true;
}

bool unzip(std::string_view body, std::size_t limit, std::string& out) {
  if (!body.starts_with("\x1f\x8b")) return false;
  if (!inflate_all(body, 16 + MAX_WBITS, limit, out)) fail("gzip", "not even its header is sound");
  return true;
}

/// With zlib's header, as the standard has it, or without, as some servers do.
bool undeflate(std::string_view body, std::size_t limit, std::string& out) {
  // Most text could be taken for the beginning of data without a header.
  if (trim(body).starts_with('<')) return false;
  return unzip(body, limit, out) || inflate_all(body, MAX_WBITS, limit, out) ||
         inflate_all(body, -MAX_WBITS, limit, out);
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ::ZSTD_freeDCtx(context); }
};

bool unzstd(std::string_view body, std::size_t limit, std::string& out) {
  if (!body.starts_with("\x28\xb5\x2f\xfd")) return false;
  const std::unique_ptr<ZSTD_DCtx, FreeZstd> context(::ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_inBuffer input{body.data(), body.size(), 0};
  std::size_t filled = 0;
  out.clear();
  for (;;) {
    make_room(out, filled, limit);
    ZSTD_outBuffer output{out.data(), out.size(), filled};
    const std::size_t result = ::ZSTD_decompressStream(context.get(), &output, &input);
    if (::ZSTD_isError(result) != 0) fail("zstd", ::ZSTD_getErrorName(result));
    const bool stuck = output.pos == filled && input.pos == input.size;
    filled = output.pos;
    if (stuck || (result == 0 && input.pos == input.size)) break;
  }
  make_room(out, filled, limit);
  out.resize(filled);
  return true;
}

/// Codings that there are and that are not undone here.
constexpr std::array<std::string_view, 8> kOthers{"br", "compress", "x-compress", "lzma",
                                                  "xz", "bzip2",    "dcb",        "dcz"};

bool is_coding(std::string_view name) {
  return std::any_of(kOthers.begin(), kOthers.end(),
                     [&](std::string_view other) { return same_name(name, other); });
}

/// False if the body stays as it is.
bool undo(std::string_view coding, std::string_view body, std::size_t limit, std::string& out) {
  if (coding.empty() || same_name(coding, "identity") || same_name(coding, "none")) return false;
  if (same_name(coding, "gzip") || same_name(coding, "x-gzip")) return unzip(body, limit, out);
  if (same_name(coding, "deflate")) return undeflate(body, limit, out);
  if (same_name(coding, "zstd")) return unzstd(body, limit, out);
  // Servers write all kinds of things here; what is no coding at all changes nothing.
  if (!is_coding(coding)) return false;
  throw InputError("the content has the coding '" + std::string(coding.substr(0, 40)) +
                   "'; known are gzip, deflate and zstd");
}

}  // namespace

std::string_view undo_codings(std::string_view codings, std::string_view body, std::size_t limit,
                              std::string& spare, std::string& content) {
  std::string* next = &content;
  for (int count = 0; !codings.empty(); ++count) {
    if (count == kMaxCodings) throw InputError("the content has more than four codings");
    const std::size_t comma = codings.rfind(',');
    const bool only = comma == std::string_view::npos;
    const std::string_view coding = trim(only ? codings : codings.substr(comma + 1));
    codings = only ? std::string_view() : codings.substr(0, comma);
    if (!undo(coding, body, limit, *next)) continue;
    body = *next;
    next = next == &content ? &spare : &content;
  }
  return body;
}

}  // namespace gannet::corpora
