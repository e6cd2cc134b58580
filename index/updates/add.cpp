#include "index/updates/add.hpp"

#include "codecs/error.hpp"
#include "index/files/format.hpp"
#include "index/inversion/recorded_options.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::index {
namespace {

void check_appends(const BuildOptions& options) {
  if (options.write.append) return;
  throw UsageError("documents are added with options of options_to_add_to()");
}

}  // namespace

WriteOptions write_options_of(const std::filesystem::path& directory) {
  const Manifest manifest = read_manifest(directory);
  const SegmentRecord& last = manifest.segments.back();
  WriteOptions options;
  options.append = true;
  options.docid_codec = &last.docid_codec();
  options.freq_codec = &last.freq_codec();
  options.analyzer = manifest.analyzer;
  options.defaults = manifest.defaults;
  options.store_text = last.find(kTextFile) != nullptr;
  options.schema = manifest.schema;
  options.contents = manifest.contents;
  return options;
}

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
