#include "index/manifest/manifest_layout.hpp"

#include <fcntl.h>

#include <cstdint>
#include <optional>
#include <span>

#include "index/files/checksum.hpp"
#include "index/files/format.hpp"
#include "index/files/messages.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {

std::string with_checksum(std::string json) {
  json.resize(json.rfind('\n'));  // the last line, "}", comes with the checksum
  json += ",\n";
  const std::string checksum = to_hex(xxh3(bytes_of(std::string_view(json))));
  return json.append(kChecksumLead).append(checksum).append(kChecksumEnd);
}

void check_checksum(std::string_view json, const std::filesystem::path& path) {
  const std::size_t body = json.size() < kTailBytes ? 0 : json.size() - kTailBytes;
  const std::string_view tail = json.substr(body);
  const bool shaped =
      tail.size() == kTailBytes && tail.starts_with(kChecksumLead) && tail.ends_with(kChecksumEnd);
  const auto checksum = shaped ? from_hex(tail.substr(kChecksumLead.size(), 16)) : std::nullopt;
  if (checksum != xxh3(bytes_of(json.substr(0, body)))) {
    fail_format(path, "the checksum is wrong (was the file edited or cut off?)");
  }
}

std::string read_small_file(const std::filesystem::path& path) {
  const File file(path, O_RDONLY);
  const std::uint64_t size = file.size();
  if (size > kMaxManifestBytes) fail_format(path, "too large");
  std::string bytes(size, '\0');
  file.read_at(0, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

}  // namespace gannet::index
