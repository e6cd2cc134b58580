#include "tools/terminal/standard_output.hpp"

#include <unistd.h>

#include <stop_token>
#include <string>
#include <utility>

#include "corpora/documents/bytes/byte_sink.hpp"
#include "tools/terminal/interrupt.hpp"

namespace gannet::tools {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

// Not stdio's: its writes cannot be given up, and what they fail to write stays in its buffer, on
// which the end of the process then waits.
struct Buffer {
  Buffer() { bytes.reserve(kBufferBytes); }
  ~Buffer() {
    try {
      flush({});
    } catch (...) {
      // The process ends with another error already.
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void flush(const std::stop_token& stop) {
    // What could not be written once is not tried again.
    const std::string taken = std::exchange(bytes, {});
    corpora::write_bytes(STDOUT_FILENO, "stdout", taken, stop);
  }

  std::string bytes;
};

Buffer& buffer() {
  static Buffer one;
  return one;
}

}  // namespace

void write_stdout(std::string_view bytes) {
  if (buffer().bytes.size() + bytes.size() >= kBufferBytes) flush_stdout();
  if (bytes.size() >= kBufferBytes) {
    corpora::write_bytes(STDOUT_FILENO, "stdout", bytes, interrupt_token());
  } else {
    buffer().bytes += bytes;
  }
}

void flush_stdout() { buffer().flush(interrupt_token()); }

void discard_stdout() noexcept { buffer().bytes.clear(); }

}  // namespace gannet::tools
