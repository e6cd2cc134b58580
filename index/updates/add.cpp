#include "index/updates/add.hpp"

#include "codecs/base/error.hpp"
#include "index/inversion/recorded_options.hpp"

namespace gannet::index {
namespace {

void check_appends(const BuildOptions& options) {
  if (options.write.append) return;
  throw UsageError("documents are added with options of options_to_add_to()");
}

}  // namespace

BuildOptions options_to_add_to(const std::filesystem::path& directory) {
  BuildOptions options;
  options.write = write_options_of(directory);
  if (recorded(options).analyzer != options.write.analyzer) {
    throw UsageError(directory.string() +
                     ": its text was analysed by other versions of the libraries that Gannet uses "
                     "here (`gannet inspect` lists them); build the index anew to add to it");
  }
  return options;
}

BuildReport add_documents(DocumentSource& source, const std::filesystem::path& directory,
                          const BuildOptions& options) {
  check_appends(options);
  return build_index(source, directory, options);
}

BuildReport add_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                         const BuildOptions& options) {
  check_appends(options);
  return build_inverted(source, directory, options);
}

}  // namespace gannet::index
