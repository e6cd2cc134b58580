#include "index/manifest/manifest.hpp"

#include <fmt/format.h>

#include "codecs/version.hpp"
#include "index/manifest/json_writer.hpp"
#include "index/manifest/manifest_layout.hpp"

namespace gannet::index {
namespace {

void write_analyzer(JsonWriter& json, const AnalyzerConfig& analyzer) {
  json.begin_object("analyzer");
  json.text("tokenizer", analyzer.tokenizer);
  json.boolean("lowercase", analyzer.lowercase);
  json.text("stemmer", analyzer.stemmer);
  json.text("stopwords", analyzer.stopwords);
  json.number("max_token_bytes", std::uint64_t{analyzer.max_token_bytes});
  json.boolean("fold_accents", analyzer.fold_accents);
  json.begin_object("libraries");
  for (const auto& [name, version] : analyzer.libraries) json.text(name, version);
  json.end_object();
  json.end_object();
}

void write_statistics(JsonWriter& json, const Statistics& statistics) {
  json.begin_object("statistics");
  json.number("documents", statistics.documents);
  json.number("terms", statistics.terms);
  json.number("postings", statistics.postings);
  json.number("tokens", statistics.tokens);
  json.end_object();
}

void write_codec(JsonWriter& json, std::string_view key, const codecs::ListCodec& codec) {
  json.begin_object(key);
  json.text("name", codec.name);
  json.number("id", std::uint64_t{static_cast<std::uint32_t>(codec.id)});
  json.end_object();
}

void write_segment(JsonWriter& json, const SegmentRecord& segment) {
  json.begin_object();
  json.text("name", segment.name);
  write_statistics(json, segment.statistics);
  write_codec(json, "docid_codec", *segment.docid_codec);
  write_codec(json, "freq_codec", *segment.freq_codec);
  json.begin_array("files");
  for (const FileRecord& file : segment.files) {
    json.begin_object();
    json.text("kind", file.kind);
    json.text("name", file_name(segment, file.kind));
    json.number("length", file.summary.length);
    json.text("xxh3", to_hex(file.summary.checksum));
    json.text("footer", to_hex(file.summary.footer));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

const FileRecord* SegmentRecord::find(FileKind kind) const {
  for (const FileRecord& file : files) {
    if (file.kind == kind.name) return &file;
  }
  return nullptr;
}

std::string library_version() { return std::string(kVersion); }

std::string segment_name(std::uint64_t generation) {
  return fmt::format("segment-{:08}", generation);
}

std::string file_name(const SegmentRecord& segment, std::string_view kind) {
  return fmt::format("{}.{}", segment.name, kind);
}

std::string to_json(const Manifest& manifest) {
  JsonWriter json;
  json.text("format", kFormatName);
  json.number("version", std::uint64_t{kFormatVersion});
  json.begin_array("requires");
  json.end_array();
  json.text("library", manifest.library);
  json.number("generation", manifest.generation);
  write_analyzer(json, manifest.analyzer);
  json.begin_object("scoring");
  json.number("k1", manifest.defaults.k1);
  json.number("b", manifest.defaults.b);
  json.end_object();
  write_statistics(json, manifest.statistics);
  json.begin_array("segments");
  for (const SegmentRecord& segment : manifest.segments) write_segment(json, segment);
  json.end_array();
  std::string text = json.written() + ",\n";
  const std::string checksum = to_hex(xxh3(bytes_of(std::string_view(text))));
  return text.append(kChecksumLead).append(checksum).append(kChecksumEnd);
}

}  // namespace gannet::index
