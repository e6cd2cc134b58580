#include "index/manifest/manifest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "codecs/base/version.hpp"
#include "index/manifest/manifest_layout.hpp"

namespace gannet::index {
namespace {

using Json = nlohmann::ordered_json;

/// The fewest digits that give back the same float.
double shortest(float value) { return std::stod(fmt::format("{}", value)); }

Json json_of(const AnalyzerConfig& analyzer) {
  Json json{{"tokenizer", analyzer.tokenizer},
            {"lowercase", analyzer.lowercase},
            {"stemmer", analyzer.stemmer},
            {"stopwords", analyzer.stopwords},
            {"max_token_bytes", analyzer.max_token_bytes},
            {"fold_accents", analyzer.fold_accents},
            {"libraries", Json(analyzer.libraries)}};
  if (!analyzer.stopword_list.empty()) json["stopword_list"] = analyzer.stopword_list;
  return json;
}

Json json_of(const Statistics& statistics) {
  return {{"documents", statistics.documents},
          {"terms", statistics.terms},
          {"postings", statistics.postings},
          {"tokens", statistics.tokens}};
}

/// Adds what this version does not know, as it was read.
Json with_other(Json json, const std::string& other) {
  if (other.empty()) return json;
  const Json members = Json::parse(other);
  for (const auto& [name, value] : members.items()) json[name] = value;
  return json;
}

Json json_of(const StreamRecord& stream) {
  Json json{{"name", stream.name}};
  if (stream.codec != nullptr) {
    const auto id = static_cast<std::uint32_t>(stream.codec->id);
    json["codec"] = {{"name", stream.codec->name}, {"id", id}};
  }
  return with_other(std::move(json), stream.other);
}

Json json_of(const FileRecord& file, const SegmentRecord& segment) {
  return with_other({{"kind", file.kind},
                     {"name", file_name(segment, file)},
                     {"length", file.summary.length},
                     {"xxh3", to_hex(file.summary.checksum)},
                     {"footer", to_hex(file.summary.footer)}},
                    file.other);
}

Json json_of(const std::vector<TextStatistics>& texts, const Schema& schema) {
  Json json = Json::array();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!schema.fields()[i].is_text()) continue;
    json.push_back({{"field", schema.fields()[i].name},
                    {"documents", texts[i].documents},
                    {"tokens", texts[i].tokens}});
  }
  return json;
}

Json json_of(const SegmentRecord& segment, const Schema& schema) {
  Json streams = Json::array();
  for (const StreamRecord& stream : segment.streams) streams.push_back(json_of(stream));
  Json files = Json::array();
  for (const FileRecord& file : segment.files) files.push_back(json_of(file, segment));
  Json json{{"name", segment.name},
            {"docid_base", segment.docid_base},
            {"statistics", json_of(segment.statistics)}};
  if (!segment.texts.empty()) json["texts"] = json_of(segment.texts, schema);
  if (segment.deleted != 0) json["deleted"] = segment.deleted;
  json["streams"] = std::move(streams);
  json["files"] = std::move(files);
  return with_other(std::move(json), segment.other);
}

Json json_of(const ScoringDefaults& scoring) {
  Json json{{"k1", shortest(scoring.k1)}, {"b", shortest(scoring.b)}};
  if (scoring.payload.impacts) {
    const Quantization& quantization = scoring.payload.quantization;
    json["impacts"] = {{"bits", quantization.bits}, {"scale", quantization.scale}};
  }
  return json;
}

/// What a reader must know not to show what is deleted.
Json required(const Manifest& manifest) {
  const auto has_deleted = [](const SegmentRecord& segment) { return segment.deleted != 0; };
  Json features = Json::array();
  if (std::ranges::any_of(manifest.segments, has_deleted)) features.push_back(kLiveFile.name);
  return features;
}

Json json_of(const Manifest& manifest) {
  Json segments = Json::array();
  for (const SegmentRecord& segment : manifest.segments) {
    segments.push_back(json_of(segment, manifest.schema));
  }
  Json json{{"format", kFormatName},
            {"version", kFormatVersion},
            {"requires", required(manifest)},
            {"library", manifest.library},
            {"generation", manifest.generation},
            {"analyzer", json_of(manifest.analyzer)},
            {"scoring", json_of(manifest.defaults)},
            {"statistics", json_of(manifest.statistics)}};
  if (!manifest.schema.empty()) json["schema"] = Json::parse(schema_json(manifest.schema));
  if (!manifest.contents.empty()) json["contents"] = manifest.contents;
  json["segments"] = std::move(segments);
  return with_other(std::move(json), manifest.other);
}

}  // namespace

const FileRecord* SegmentRecord::find(FileKind kind) const {
  for (const FileRecord& file : files) {
    if (file.kind == kind.name) return &file;
  }
  return nullptr;
}

void SegmentRecord::set_live(std::uint64_t deleted_documents, FileSummary summary,
                             std::uint64_t generation) {
  deleted = deleted_documents;
  std::erase_if(files, [](const FileRecord& file) { return file.kind == kLiveFile.name; });
  files.push_back({std::string(kLiveFile.name), summary, generation});
}

std::vector<std::string> unknown_parts(const SegmentRecord& segment) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < segment.streams.size(); ++i) {
    const StreamRecord& stream = segment.streams[i];
    if (i >= 2) {
      parts.push_back("a stream '" + stream.name + "'");
    } else if (!stream.other.empty()) {
      parts.push_back(names_in_json(stream.other) + " of stream '" + stream.name + "'");
    }
  }
  for (const FileRecord& file : segment.files) {
    if (std::ranges::find(kFileKinds, file.kind, &FileKind::name) == kFileKinds.end()) {
      parts.push_back("a file of kind '" + file.kind + "'");
    } else if (!file.other.empty()) {
      parts.push_back(names_in_json(file.other) + " of file '" + file.kind + "'");
    }
  }
  if (!segment.other.empty()) parts.push_back(names_in_json(segment.other) + " in the manifest");
  return parts;
}

std::string names_in_json(const std::string& object) {
  std::string names;
  const Json members = Json::parse(object);
  for (const auto& [name, value] : members.items()) {
    names += (names.empty() ? "members '" : "', '") + name;
  }
  return names + "'";
}

std::string json_text(std::string_view text) { return Json(text).dump(); }

std::string library_version() { return std::string(kVersion); }

std::string segment_name(std::uint64_t number) { return fmt::format("segment-{:08}", number); }

std::string file_name(const SegmentRecord& segment, std::string_view kind) {
  return fmt::format("{}.{}", segment.name, kind);
}

std::string file_name(const SegmentRecord& segment, const FileRecord& file) {
  const std::string name = file_name(segment, file.kind);
  return file.generation == 0 ? name : fmt::format("{}-{:08}", name, file.generation);
}

std::string to_json(const Manifest& manifest) {
  std::string text;
  try {
    text = json_of(manifest).dump(2);
  } catch (const Json::exception& error) {
    throw UsageError(std::string("the index cannot be described as JSON: ") + error.what());
  }
  return with_checksum(std::move(text));
}

}  // namespace gannet::index
