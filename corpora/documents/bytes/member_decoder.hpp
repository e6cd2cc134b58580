// What decoders of formats have in common whose files may be several of one kind behind each other.
#pragma once

#include <cstddef>

#include "codecs/base/cancellation.hpp"

namespace gannet::corpora {

/// Any number of gzip members or bzip2 streams. `File` is that of ByteStream, `Base` its decoder.
template <class File, class Base>
class MemberDecoder : public Base {
 public:
  std::size_t read(File& file, char* out, std::size_t size) final {
    std::size_t filled = 0;
    while (filled == 0 && !finished_) {
      throw_if_stopped(file.stop);
      if (file.begin == file.end && !file.refill()) {
        if (in_member_) file.fail_cut();
        finished_ = true;
      } else if (in_member_) {
        filled = decode(file, out, size);
      } else {
        next(file);
      }
    }
    return filled;
  }

 protected:
  /// Decompresses some of what the file's buffer has; in_member_ becomes false at a member's end.
  virtual std::size_t decode(File& file, char* out, std::size_t size) = 0;
  /// Between members, where the buffer is not empty: begins one, which sets in_member_, or fails.
  virtual void next(File& file) = 0;

  bool in_member_ = true;

 private:
  bool finished_ = false;
};

}  // namespace gannet::corpora
