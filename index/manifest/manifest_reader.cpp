#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>

#include "index/files/messages.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/manifest_layout.hpp"
#include "index/manifest/manifest_members.hpp"
#include "index/text/stop_words.hpp"

namespace gannet::index {
namespace {

namespace dom = simdjson::dom;
using Members = ManifestMembers;

AnalyzerConfig read_analyzer(const Members& members) {
  AnalyzerConfig config;
  config.tokenizer = members.text("tokenizer");
  config.lowercase = members.get<bool>("lowercase");
  config.stemmer = members.text("stemmer");
  config.stopwords = members.text("stopwords");
  if (members.has("stopword_list")) config.stopword_list = members.words("stopword_list");
  const std::string problem = stop_words_problem(config.stopword_list);
  if (!problem.empty()) members.fail("stopword_list", "cannot be used: " + problem);
  config.max_token_bytes = members.number("max_token_bytes");
  config.fold_accents = members.get<bool>("fold_accents");
  config.libraries = members.texts("libraries");
  members.refuse_others("analyzer",
                        {"tokenizer", "lowercase", "stemmer", "stopwords", "stopword_list",
                         "max_token_bytes", "fold_accents", "libraries"});
  return config;
}

Payload read_impacts(const Members& members) {
  const auto bits = static_cast<unsigned>(members.number("bits", 32));
  const auto scale = members.get<double>("scale");
  if (!(scale > 0)) members.fail("scale", "is not above 0");
  members.refuse_others("impacts", {"bits", "scale"});
  return {true, {bits, scale}};
}

ScoringDefaults read_scoring(const Members& members) {
  ScoringDefaults defaults{static_cast<float>(members.get<double>("k1")),
                           static_cast<float>(members.get<double>("b"))};
  if (scoring_problem(defaults.k1, 0)) members.fail("k1", "is out of range");
  if (scoring_problem(0, defaults.b)) members.fail("b", "is out of range");
  if (members.has("impacts")) defaults.payload = read_impacts(members.object("impacts"));
  members.refuse_others("scoring", {"k1", "b", "impacts"});
  return defaults;
}

/// No index comes near; sums of several stay within 64 bits.
constexpr std::uint64_t kMaxPostings = std::uint64_t{1} << 56;

Statistics read_statistics(const Members& members, std::uint64_t most_documents) {
  Statistics statistics;
  statistics.documents = members.number("documents", most_documents);
  statistics.terms = members.number("terms", kMaxPostings);
  statistics.postings = members.number("postings", kMaxPostings);
  statistics.tokens = members.number("tokens", kMaxPostings);
  members.refuse_others("statistics", {"documents", "terms", "postings", "tokens"});
  return statistics;
}

const codecs::ListCodec& read_codec(const Members& members, const std::filesystem::path& path) {
  const std::string name = members.text("name");
  const auto id = members.number("id", 0xffffffffu);
  members.refuse_others("codec", {"name", "id"});
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    if (static_cast<std::uint32_t>(codec.id) == id && codec.name == name) return codec;
  }
  throw VersionError(path.string() + ": codec '" + name + "' (id " + std::to_string(id) +
                     ") is unknown to Gannet " + library_version() + ", which has " +
                     codecs::list_codec_names() + "; use a newer Gannet");
}

bool is_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_segment_name(std::string_view name) {
  constexpr std::string_view kLead = "segment-";
  if (!name.starts_with(kLead) || name.size() < kLead.size() + 8 || name.size() > 40) return false;
  name.remove_prefix(kLead.size());
  return is_digits(name);
}

/// The number behind "segment-00000001.live-"; nothing if that is not what the name is.
std::optional<std::uint64_t> generation_of(const SegmentRecord& segment, const FileRecord& file,
                                           std::string_view name) {
  const std::string lead = file_name(segment, file.kind) + "-";
  if (!name.starts_with(lead)) return std::nullopt;
  name.remove_prefix(lead.size());
  std::uint64_t generation = 0;
  const bool read =
      std::from_chars(name.data(), name.data() + name.size(), generation).ec == std::errc();
  if (!is_digits(name) || !read || generation == 0) return std::nullopt;
  return generation;
}

FileRecord read_file_record(const Members& members, const SegmentRecord& segment) {
  FileRecord file;
  file.kind = members.text("kind");
  const std::string name = members.text("name");
  if (file.kind == kLiveFile.name) {
    file.generation = generation_of(segment, file, name).value_or(0);
    if (file.generation == 0 || file_name(segment, file) != name) {
      members.fail("name", "is not the segment's name, the file's kind and a generation");
    }
  } else if (file_name(segment, file) != name ||
             file.kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos) {
    members.fail("name", "is not the segment's name and the file's kind");
  }
  for (const FileRecord& other : segment.files) {
    if (other.kind == file.kind) members.fail("kind", "is there twice");
  }
  file.summary.length = members.number("length");
  file.summary.checksum = members.checksum("xxh3");
  file.summary.footer = members.checksum("footer");
  file.other = members.others({"kind", "name", "length", "xxh3", "footer"});
  return file;
}

StreamRecord read_stream(const Members& members, std::size_t number,
                         const std::filesystem::path& path) {
  StreamRecord stream;
  stream.name = members.text("name");
  constexpr std::array kNames{kDocidStream, kFrequencyStream};
  if (number < kNames.size()) {
    if (stream.name != kNames[number]) members.fail("name", "is not that of the stream");
    stream.codec = &read_codec(members.object("codec"), path);
    stream.other = members.others({"name", "codec"});
  } else {
    stream.other = members.others({"name"});
  }
  return stream;
}

/// One for each text field of the schema, in its order.
std::vector<TextStatistics> read_texts(const Members& members, const Schema& schema,
                                       const Statistics& segment) {
  std::vector<TextStatistics> texts(schema.fields().size());
  std::size_t field = 0;
  const auto skip_others = [&] {
    while (field < texts.size() && !schema.fields()[field].is_text()) ++field;
  };
  members.each("texts", [&](const Members& text) {
    skip_others();
    if (field == texts.size() || text.text("field") != schema.fields()[field].name) {
      text.fail("field", "is not that of the schema's next text");
    }
    texts[field].documents = text.number("documents", segment.documents);
    texts[field].tokens = text.number("tokens", kMaxPostings);
    if (texts[field].tokens < texts[field].documents) text.fail("tokens", "are too few");
    text.refuse_others("texts", {"field", "documents", "tokens"});
    ++field;
  });
  skip_others();
  if (field != texts.size()) members.fail("texts", "are not those of the schema");
  return texts;
}

SegmentRecord read_segment(const Members& members, const Schema& schema,
                           const std::filesystem::path& path) {
  SegmentRecord segment;
  segment.name = members.text("name");
  if (!is_segment_name(segment.name)) members.fail("name", "is no name of a segment");
  segment.docid_base = members.number("docid_base", kMaxPostings);
  segment.statistics = read_statistics(members.object("statistics"), kMaxDocuments);
  if (segment.statistics.terms > kMaxTerms) members.fail("terms", "are too many");
  if (schema.has_text()) segment.texts = read_texts(members, schema, segment.statistics);
  if (members.has("deleted")) {
    segment.deleted = members.number("deleted", segment.statistics.documents);
  }
  members.each("streams", [&](const Members& stream) {
    if (segment.streams.size() == kMaxStreams) members.fail("streams", "are too many");
    segment.streams.push_back(read_stream(stream, segment.streams.size(), path));
  });
  if (segment.streams.size() < 2) members.fail("streams", "are too few");
  members.each("files", [&](const Members& file) {
    if (segment.files.size() == kMaxSegmentFiles) members.fail("files", "are too many");
    segment.files.push_back(read_file_record(file, segment));
  });
  if ((segment.find(kLiveFile) != nullptr) != (segment.deleted != 0)) {
    members.fail("deleted", "does not go with the file of live documents");
  }
  segment.other =
      members.others({"name", "docid_base", "statistics", "texts", "deleted", "streams", "files"});
  return segment;
}

Schema read_schema(const Members& members, const std::filesystem::path& path) {
  if (!members.has("schema")) return {};
  members.each("schema", [](const Members& field) {
    field.refuse_others("schema",
                        {"name", "type", "multi", "codec", "split", "path", "weight", "keep-case",
                         "fold-accents", "tokenizer", "stemmer", "stop-words"});
  });
  try {
    return Schema(parse_schema(simdjson::minify(members.get<dom::array>("schema")), "schema"));
  } catch (const InputError& error) {
    fail_format(path, error.what());
  } catch (const UsageError& error) {
    fail_format(path, error.what());
  }
}

/// Format, checksum, version and required features, before anything that another version may have
/// changed: all versions have the checksum, so that a damaged number is not taken for a version.
void check_readable(const Members& members, std::string_view json,
                    const std::filesystem::path& path) {
  if (members.text("format") != kFormatName)
    members.fail("format", "is not that of a Gannet index");
  check_checksum(json, path);
  const std::uint64_t version = members.number("version");
  if (version == 0) members.fail("version", "0 does not exist");
  if (version != kFormatVersion) fail_version(path, version);
  for (const dom::element feature : members.get<dom::array>("requires")) {
    std::string_view name;
    if (feature.get(name) != simdjson::SUCCESS) members.fail("requires", "holds no name");
    if (name == kLiveFile.name) continue;
    throw VersionError(path.string() + ": needs '" + std::string(name) +
                       "', which format version " + std::to_string(kFormatVersion) + " of Gannet " +
                       library_version() + " does not know; use a newer Gannet");
  }
}

Manifest read_members(const Members& members, const std::filesystem::path& path) {
  Manifest manifest;
  manifest.library = members.text("library");
  manifest.generation = members.number("generation");
  manifest.analyzer = read_analyzer(members.object("analyzer"));
  manifest.defaults = read_scoring(members.object("scoring"));
  manifest.statistics = read_statistics(members.object("statistics"), kMaxPostings);
  manifest.schema = read_schema(members, path);
  if (members.has("contents")) manifest.contents = members.words("contents");
  Statistics sum;
  std::set<std::string> names;
  members.each("segments", [&](const Members& members_of_segment) {
    SegmentRecord segment = read_segment(members_of_segment, manifest.schema, path);
    if (!names.insert(segment.name).second) members_of_segment.fail("name", "is there twice");
    if (segment.docid_base != sum.documents) {
      members_of_segment.fail("docid_base", "is not the number of documents before the segment");
    }
    sum.documents += segment.statistics.documents;
    sum.terms += segment.statistics.terms;
    sum.postings += segment.statistics.postings;
    sum.tokens += segment.statistics.tokens;
    manifest.segments.push_back(std::move(segment));
    if (manifest.segments.size() > kMaxSegments) members.fail("segments", "are too many");
  });
  if (manifest.segments.empty()) members.fail("segments", "are none");
  const bool places = manifest.segments.front().find(kPositionsFile) != nullptr;
  for (const SegmentRecord& segment : manifest.segments) {
    if ((segment.find(kPositionsFile) != nullptr) == places) continue;
    members.fail("segments", "have positions and have none: all have a file of them, or none has");
  }
  const Statistics& whole = manifest.statistics;
  if (whole.documents != sum.documents || whole.terms != sum.terms ||
      whole.postings != sum.postings || whole.tokens != sum.tokens) {
    members.fail("statistics", "are not those of the segments");
  }
  manifest.other =
      members.others({"format", "version", "requires", "library", "generation", "analyzer",
                      "scoring", "statistics", "schema", "contents", "segments", "xxh3"});
  return manifest;
}

/// What is there; not_found if nothing is. Throws IoError where one may not look, or cannot: that
/// is another matter than a folder without an index.
std::filesystem::file_type type_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() != std::filesystem::file_type::not_found && error) {
    fail_io(path, "examine", error.value());
  }
  return status.type();
}

}  // namespace

Manifest parse_manifest(std::string_view json, const std::filesystem::path& path) {
  dom::parser parser;
  const Members members(parse_object(parser, json, path), path);
  check_readable(members, json, path);
  return read_members(members, path);
}

bool has_manifest(const std::filesystem::path& directory) {
  return type_of(directory / kManifestName) == std::filesystem::file_type::regular;
}

Manifest read_manifest(const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  const fs::path path = directory / kManifestName;
  const fs::file_type folder = type_of(directory);
  if (folder != fs::file_type::directory) {
    // `gannet index docs.jsonl` names its index docs.gannet.
    fs::path named = directory.has_filename() ? directory : directory.parent_path();
    named += ".gannet";
    throw IoError(directory.string() +
                  (folder == fs::file_type::not_found ? ": there is no such directory"
                                                      : ": not a directory") +
                  (has_manifest(named) ? "; there is an index " + named.string()
                                       : "; give the directory of an index, or build one with "
                                         "`gannet index`"));
  }
  if (!has_manifest(directory)) {
    if (type_of(directory / kShardSetName) == fs::file_type::regular) {
      throw IoError(
          directory.string() +
          ": a set of shards, which can only be searched; name one of its shards, or join "
          "them with `gannet shard --join`");
    }
    throw IoError(
        directory.string() +
        ": no index here (there is no manifest.json; a build that was stopped leaves none); "
        "build one with `gannet index`");
  }
  return parse_manifest(read_small_file(path), path);
}

}  // namespace gannet::index
