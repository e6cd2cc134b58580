#include "index/files/messages.hpp"

#include <algorithm>

#include "codecs/base/error.hpp"
#include "index/files/format.hpp"

namespace gannet::index {

constexpr std::string_view kBeforeAdvice = "; `gannet verify` lists what is damaged, ";

void fail_format(const std::filesystem::path& path, const std::string& what) {
  const std::string name = path.filename().string();
  // Nothing can be repaired without the file that says what there is.
  const bool head = name == kManifestName || name == kShardSetName;
  throw DamageError(path.string() + ": " + what +
                    (head ? "; restore it from a backup, or rebuild the index with `gannet index`"
                          : std::string(kBeforeAdvice).append(kDamageAdvice)));
}

std::string_view without_advice(std::string_view message) {
  if (!message.ends_with(kDamageAdvice)) return message;
  message.remove_suffix(kDamageAdvice.size());
  for (const std::string_view before : {kBeforeAdvice, std::string_view("; ")}) {
    if (message.ends_with(before)) return message.substr(0, message.size() - before.size());
  }
  return message;
}

void fail_version(const std::filesystem::path& path, std::uint64_t version) {
  throw VersionError(path.string() + ": index format version " + std::to_string(version) +
                     ", but this program reads version " + std::to_string(kFormatVersion) +
                     (version < kFormatVersion
                          ? " alone: an older format; build the index again with `gannet index`"
                          : "; use a newer Gannet, or rebuild the index with `gannet index`"));
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string out(text.substr(0, kLongest));
  std::replace_if(
      out.begin(), out.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text.size() > kLongest ? out + "..." : out;
}

}  // namespace gannet::index
