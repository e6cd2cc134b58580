#include "corpora/documents/bytes/unpacked_file.hpp"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkostemp
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_sink.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

/// A file that nobody else can open.
class NamelessFile {
 public:
  explicit NamelessFile(const fs::path& folder) : name_((folder / "gannet-XXXXXX").string()) {
    descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      throw IoError(folder.string() + ": no file can be made here: " + std::strerror(errno));
    }
    ::unlink(name_.c_str());
  }
  ~NamelessFile() { ::close(descriptor_); }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  void write(std::string_view bytes, const std::stop_token& stop) const {
    write_bytes(descriptor_, name_, bytes, stop);
  }
  index::MappedFile map() const {
    return index::MappedFile("/proc/self/fd/" + std::to_string(descriptor_));
  }

 private:
  std::string name_;
  int descriptor_;
};

}  // namespace

index::MappedFile map_unpacked(const fs::path& path, const std::stop_token& stop) {
  index::MappedFile file(path);
  ByteStream stream(path, stop);
  if (!stream.is_packed()) return file;
  const NamelessFile unpacked(fs::temp_directory_path());
  std::string chunk(std::size_t{1} << 20, '\0');
  for (;;) {
    const std::size_t got = stream.read(chunk.data(), chunk.size());
    unpacked.write(std::string_view(chunk).substr(0, got), stop);
    if (got < chunk.size()) return unpacked.map();
  }
}

}  // namespace gannet::corpora
