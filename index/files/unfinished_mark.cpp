#include "index/files/unfinished_mark.hpp"

#include <fcntl.h>

#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "index/files/atomic_file.hpp"
#include "index/files/format.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {
namespace {

constexpr std::string_view kMarkText =
    "Gannet is at work in this folder, or was stopped at it. Its next command for the same output "
    "removes what is here.\n";

}  // namespace

void mark_unfinished(const std::filesystem::path& folder) {
  AtomicFile file(folder / kUnfinishedName);
  file.append(bytes_of(kMarkText));
  file.finish();
  file.publish_new();
  sync_directory(folder);
}

bool is_marked_unfinished(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kUnfinishedName;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  if (error) fail_io(path, "examine", error.value());
  if (!std::filesystem::is_regular_file(status)) return false;
  const File file(path, O_RDONLY | O_NOFOLLOW);
  if (file.size() != kMarkText.size()) return false;
  std::string text(kMarkText.size(), '\0');
  file.read_at(0, std::as_writable_bytes(std::span(text)));
  return text == kMarkText;
}

}  // namespace gannet::index
