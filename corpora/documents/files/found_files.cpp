#include "corpora/documents/files/found_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

/// Walks a folder: first what lies in it, then, in order, folders that links in it lead to.
class Walk {
 public:
  Walk(const fs::path& root, const std::stop_token& stop) : root_(root), stop_(stop) {}

  FoundFiles run() {
    find_ancestors();
    enter(root_);
    for (; !links_.empty(); links_.pop_front()) follow(links_.front());
    std::sort(found_.files.begin(), found_.files.end(),
              [](const FoundFile& a, const FoundFile& b) { return a.relative < b.relative; });
    std::sort(found_.passed_over.begin(), found_.passed_over.end());
    return std::move(found_);
  }

 private:
  using Identity = std::pair<dev_t, ino_t>;

  static std::optional<Identity> identity_of(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return Identity{status.st_dev, status.st_ino};
  }

  /// The folders around the root, which a link in it must not lead to.
  void find_ancestors() {
    std::error_code error;
    const fs::path root = fs::canonical(root_, error);
    for (fs::path folder = root; folder != folder.parent_path();) {
      folder = folder.parent_path();
      if (const auto identity = identity_of(folder)) around_.insert(*identity);
    }
  }

  /// Walks a folder and the folders in it, unless it was met before; false then.
  bool enter(const fs::path& folder) {
    std::vector<fs::path> folders{folder};
    for (bool first = true; !folders.empty(); first = false) {
      throw_if_stopped(stop_);
      const fs::path next = std::move(folders.back());
      folders.pop_back();
      const auto identity = identity_of(next);
      if (identity && !met_.insert(*identity).second) {
        if (first) return false;
        continue;
      }
      list(next, folders);
    }
    return true;
  }

  void list(const fs::path& folder, std::vector<fs::path>& folders) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    std::vector<fs::path> links;
    while (!error && entry != fs::directory_iterator()) {
      throw_if_stopped(stop_);
      if (!is_hidden(entry->path())) take(*entry, folders, links);
      entry.increment(error);
    }
    if (error) cannot_read(folder, error);
    // In an order that does not depend on the file system.
    std::sort(links.begin(), links.end());
    links_.insert(links_.end(), links.begin(), links.end());
  }

  void take(const fs::directory_entry& entry, std::vector<fs::path>& folders,
            std::vector<fs::path>& links) {
    std::error_code error;
    const fs::file_status status = entry.status(error);
    std::error_code ignored;
    const bool link = entry.is_symlink(ignored);
    if (status.type() == fs::file_type::none && !is_loop(error)) {
      cannot_read(entry.path(), error);
    } else if (fs::is_directory(status)) {
      (link ? links : folders).push_back(entry.path());
    } else if (fs::is_regular_file(status)) {
      found_.files.push_back({entry.path(), relative(entry.path())});
    } else if (link && !fs::is_other(status)) {
      pass_over(entry.path(), "a link that leads nowhere");
    } else {
      pass_over(entry.path(), "no regular file");
    }
  }

  void follow(const fs::path& link) {
    const auto identity = identity_of(link);
    if (identity && around_.contains(*identity)) {
      pass_over(link, "a link to a folder around the input");
    } else if (!enter(link)) {
      pass_over(link, "a link to a folder that is read already");
    }
  }

  static bool is_loop(const std::error_code& error) {
    return error == std::errc::too_many_symbolic_link_levels;
  }

  void cannot_read(const fs::path& path, const std::error_code& error) {
    const std::string problem = path.string() + ": cannot be read: " + error.message();
    found_.files.push_back({path, relative(path), problem});
  }

  void pass_over(const fs::path& path, const std::string& why) {
    found_.passed_over.push_back(path.string() + ": " + why);
  }

  std::string relative(const fs::path& path) const {
    return path.lexically_relative(root_).generic_string();
  }

  fs::path root_;
  const std::stop_token& stop_;
  FoundFiles found_;
  std::set<Identity> met_;
  std::set<Identity> around_;
  std::deque<fs::path> links_;  ///< to folders
};

}  // namespace

FoundFiles find_files(const fs::path& input, const std::stop_token& stop) {
  std::error_code error;
  const fs::file_status status = fs::status(input, error);
  if (status.type() == fs::file_type::not_found) {
    throw IoError(input.string() + ": no such file or directory");
  }
  if (error) throw IoError(input.string() + ": cannot be read: " + error.message());
  if (!fs::is_directory(status)) {
    return {{{input, input.filename().generic_string()}}, {}};
  }
  FoundFiles found = Walk(input, stop).run();
  // Of a folder in which nothing can be seen there is nothing else to say.
  const bool none = found.files.size() == 1 && found.files.front().path == input;
  if (none) throw IoError(found.files.front().problem);
  return found;
}

}  // namespace gannet::corpora
