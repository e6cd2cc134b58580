#include "corpora/documents/bytes/byte_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/bzip2_decoder.hpp"
#include "corpora/documents/bytes/member_decoder.hpp"
#include "corpora/documents/bytes/zstd_decoder.hpp"
#include "corpora/markup/encoding/decoder.hpp"

namespace gannet::corpora {

namespace {

constexpr std::size_t kDecodedChunk = std::size_t{1} << 16;
constexpr std::size_t kBytesPerRead = std::size_t{4} << 20;  // between looks at `stop`

/// Returns when read() would not wait; regular files never do.
void wait_for_bytes(int descriptor, const std::stop_token& stop) {
  constexpr int kMilliseconds = 100;
  pollfd readable{descriptor, POLLIN, 0};
  for (;;) {
    throw_if_stopped(stop);
    const int ready = ::poll(&readable, 1, kMilliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

/// The errors at the ends of pipes, by the numbers of their files.
class PipeErrors {
 public:
  void add(int pipe, int error) {
    const std::lock_guard lock(mutex_);
    if (const auto number = number_of(pipe)) errors_[*number] = error;
  }
  /// 0: there is none.
  int of(int pipe) const {
    const std::lock_guard lock(mutex_);
    if (errors_.empty()) return 0;
    const auto number = number_of(pipe);
    const auto found = number ? errors_.find(*number) : errors_.end();
    return found == errors_.end() ? 0 : found->second;
  }

 private:
  static std::optional<ino_t> number_of(int pipe) {
    struct stat status {};
    if (::fstat(pipe, &status) != 0 || !S_ISFIFO(status.st_mode)) return std::nullopt;
    return status.st_ino;
  }

  mutable std::mutex mutex_;
  std::map<ino_t, int> errors_;
};

/// Lives as long as the program: a thread may fill a pipe while other objects are destroyed.
PipeErrors& pipe_errors() {
  static PipeErrors& errors = *new PipeErrors;
  return errors;
}

[[noreturn]] void fail_to_read(std::string_view name, int error) {
  throw IoError(std::string(name) + ": cannot be read: " + std::strerror(error));
}

}  // namespace

void fail_at_end(int pipe, int error) { pipe_errors().add(pipe, error); }

std::size_t read_bytes(int descriptor, std::string_view name, char* out, std::size_t size,
                       const std::stop_token& stop) {
  for (;;) {
    wait_for_bytes(descriptor, stop);
    const ssize_t got = ::read(descriptor, out, std::min(size, kBytesPerRead));
    if (got == 0 && size > 0) {
      if (const int error = pipe_errors().of(descriptor)) fail_to_read(name, error);
    }
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) fail_to_read(name, errno);
  }
}

/// The file and what has been read from it but not yet passed on: data_[begin_, end_).
struct ByteStream::File {
  static constexpr std::size_t kBuffer = std::size_t{1} << 18;

  File(const std::filesystem::path& file_path, std::stop_token stop_reading)
      : path(file_path), stop(std::move(stop_reading)), data(kBuffer) {
    // O_NONBLOCK: to open a pipe that nobody writes to yet must not wait beyond all calling.
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) fail(std::string("cannot be opened: ") + std::strerror(errno));
    try {
      refill();
    } catch (...) {
      ::close(descriptor);
      throw;
    }
  }
  ~File() { ::close(descriptor); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(path.string() + ": " + what);
  }
  /// Of compressed data.
  [[noreturn]] void fail_damaged(const std::string& what) const {
    throw FormatError(path.string() + ": " + what + ", at byte " +
                      std::to_string(taken - (end - begin)) + " of the file");
  }
  [[noreturn]] void fail_cut() const {
    fail_damaged("the compressed data ends too early (is the file cut off?)");
  }

  /// At the end no more is read: a terminal would go on.
  std::size_t read_raw(char* out, std::size_t size) {
    if (ended) return 0;
    const std::size_t got = read_bytes(descriptor, path.string(), out, size, stop);
    ended = got == 0 && size != 0;
    taken += got;
    return got;
  }

  /// Fills the empty buffer, up to the end of the file; false at the end.
  bool refill() {
    begin = end = 0;
    while (end < data.size()) {
      const std::size_t got = read_raw(data.data() + end, data.size() - end);
      if (got == 0) break;
      end += got;
    }
    return end > 0;
  }

  bool starts_with(std::string_view magic) const {
    return std::string_view(data.data() + begin, end - begin).starts_with(magic);
  }

  std::filesystem::path path;
  std::stop_token stop;
  int descriptor = -1;
  std::vector<char> data;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t taken = 0;
  bool ended = false;
};

class ByteStream::Decoder {
 public:
  virtual ~Decoder() = default;
  /// Writes some decompressed bytes to `out`, up to `size`; none only at the end.
  virtual std::size_t read(File& file, char* out, std::size_t size) = 0;
};

namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";

/// zlib's inflate over any number of gzip members; zero bytes after a member are padding.
template <class File, class Base>
class GzipDecoder final : public MemberDecoder<File, Base> {
 public:
  explicit GzipDecoder(File& file) {
    if (::inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) file.fail("not enough memory for gzip");
  }
  ~GzipDecoder() override { ::inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

 private:
  std::size_t decode(File& file, char* out, std::size_t size) override {
    const auto space = static_cast<uInt>(std::min<std::size_t>(size, 1u << 30));
    stream_.next_in = reinterpret_cast<Bytef*>(file.data.data() + file.begin);
    stream_.avail_in = static_cast<uInt>(file.end - file.begin);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = space;
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    file.begin = file.end - stream_.avail_in;
    if (status == Z_STREAM_END) {
      this->in_member_ = false;
      ::inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR && stream_.avail_out == space) {
      file.fail_damaged(std::string("damaged gzip data: ") +
                        (stream_.msg ? stream_.msg : "inflate failed"));
    }
    return space - stream_.avail_out;
  }

  void next(File& file) override {
    while (file.begin < file.end && file.data[file.begin] == 0) ++file.begin;
    if (file.begin == file.end) return;
    if (file.data[file.begin] != kGzipMagic[0])
      file.fail_damaged("other bytes follow the gzip data");
    this->in_member_ = true;
  }

  z_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteStream::Decoder> ByteStream::decoder_for(File& file) {
  if (file.starts_with(kGzipMagic)) return std::make_unique<GzipDecoder<File, Decoder>>(file);
  const std::string_view begin(file.data.data() + file.begin, file.end - file.begin);
  if (is_bzip2(begin)) return std::make_unique<Bzip2Decoder<File, Decoder>>(file);
  if (is_zstd(begin)) return std::make_unique<ZstdDecoder<File, Decoder>>(file);
  return nullptr;
}

ByteStream::ByteStream(const std::filesystem::path& path, std::stop_token stop)
    : file_(std::make_unique<File>(path, std::move(stop))), decoder_(decoder_for(*file_)) {
  if (decoder_ != nullptr) chunk_.resize(kDecodedChunk);
}
ByteStream::~ByteStream() = default;
ByteStream::ByteStream(ByteStream&&) noexcept = default;
ByteStream& ByteStream::operator=(ByteStream&&) noexcept = default;

std::size_t ByteStream::read_some(char* out, std::size_t size) {
  if (decoder_ == nullptr) {
    if (file_->begin == file_->end) return file_->read_raw(out, size);
    const std::size_t there = std::min(size, file_->end - file_->begin);
    std::memcpy(out, file_->data.data() + file_->begin, there);
    file_->begin += there;
    return there;
  }
  if (ready_ == ready_end_) {
    ready_ = 0;
    ready_end_ = 0;
    ready_end_ = decoder_->read(*file_, chunk_.data(), chunk_.size());
  }
  const std::size_t there = std::min(size, ready_end_ - ready_);
  std::memcpy(out, chunk_.data() + ready_, there);
  ready_ += there;
  return there;
}

void ReadProblem::raise() const {
  if (damaged) throw FormatError(what);
  throw IoError(what);
}

std::size_t ByteStream::read(char* out, std::size_t size, ReadProblem& problem) {
  std::size_t filled = 0;
  try {
    while (filled < size) {
      const std::size_t got = read_some(out + filled, size - filled);
      if (got == 0) break;
      filled += got;
    }
  } catch (const IoError& error) {
    problem = {error.what(), false};
  } catch (const FormatError& error) {
    problem = {error.what(), true};
  }
  return filled;
}

std::size_t ByteStream::read(char* out, std::size_t size) {
  ReadProblem problem;
  const std::size_t got = read(out, size, problem);
  if (!problem.empty()) problem.raise();
  return got;
}

std::uint64_t ByteStream::file_bytes() const { return file_->taken; }

std::string read_whole_bytes(const std::filesystem::path& path, std::size_t limit,
                             std::stop_token stop) {
  ByteStream stream(path, std::move(stop));
  std::string text;
  for (std::size_t filled = 0, full = 0; filled == full;) {
    full = std::max<std::size_t>(2 * filled, std::size_t{1} << 14);
    text.resize(full);
    filled += stream.read(text.data() + filled, full - filled);
    if (filled > limit) {
      throw InputError(path.string() + ": has more than " + std::to_string(limit) + " bytes");
    }
    text.resize(filled);
  }
  return text;
}

std::string read_whole_file(const std::filesystem::path& path, std::size_t limit,
                            std::stop_token stop) {
  std::string bytes = read_whole_bytes(path, limit, std::move(stop));
  const auto encoding = encoding_marked(bytes);
  if (!encoding) {
    const std::string reason = looks_like_utf16(bytes, false);
    if (!reason.empty()) throw InputError(path.string() + ": " + reason);
    return bytes;
  }
  if (*encoding == Encoding::kUtf8) return bytes.substr(3);
  std::string text;
  return std::string(decoded(bytes, *encoding, text));
}

}  // namespace gannet::corpora
