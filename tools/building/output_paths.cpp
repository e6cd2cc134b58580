#include "tools/building/output_paths.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

fs::path without_slash(fs::path path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

fs::path real_path(const fs::path& path) {
  return without_slash(fs::weakly_canonical(fs::absolute(path)));
}

}  // namespace

fs::path beside(const fs::path& output, std::string_view ending) {
  fs::path path = without_slash(output);
  if (path.filename() == "." || path.filename() == "..") path = real_path(path);
  return path += ending;
}

bool lies_in(const fs::path& path, const fs::path& place) {
  const fs::path below = real_path(path).lexically_relative(real_path(place));
  return !below.empty() && *below.begin() != "..";
}

}  // namespace gannet::tools
