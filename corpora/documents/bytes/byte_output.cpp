#include "corpora/documents/bytes/byte_output.hpp"

#include <string_view>
#include <utility>

#include "index/files/posix_file.hpp"

namespace gannet::corpora {

ByteOutput::ByteOutput(const std::filesystem::path& path, std::stop_token stop,
                       index::Existing existing)
    : existing_(existing) {
  index::OutputTarget target = index::output_target(path);
  path_ = target.path;
  if (target.in_place) {
    sink_.emplace(std::move(target), std::move(stop));
  } else {
    file_.emplace(std::move(target.path));
  }
}

void ByteOutput::write(std::span<const std::byte> bytes) {
  if (file_) {
    file_->append(bytes);
  } else {
    sink_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

void ByteOutput::finish() {
  if (!file_) return;
  file_->finish();
  file_->publish(existing_);
  const std::filesystem::path folder = path_.parent_path();
  index::sync_directory(folder.empty() ? "." : folder);
}

}  // namespace gannet::corpora
