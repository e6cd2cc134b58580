// What the target `index` tries: an index whose files have any content, with the right checksums,
// is refused or can be read: every list decoded, every document and term named, verified.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/build/field_collector.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/fields/reading/bitmap_rows.hpp"
#include "index/files/checksum.hpp"
#include "index/files/container/container.hpp"
#include "index/index.hpp"
#include "index/index_writer.hpp"
#include "index/manifest/manifest.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/verify.hpp"
#include "tests/support/index/field_data.hpp"

namespace gannet::fuzz {

/// A sound little index, and what becomes of it.
class IndexTarget {
 public:
  /// Writes the sound index below `folder`, which the caller removes.
  IndexTarget(std::filesystem::path folder, const codecs::ListCodec& docid_codec)
      : directory_(std::move(folder)) {
    index::WriteOptions options;
    options.docid_codec = &docid_codec;
    options.store_text = true;
    options.schema =
        index::Schema({index::parse_field("n:i32"), index::parse_field("x:f64:multi"),
                       index::parse_field("tag:keyword:multi"),
                       index::parse_field("key:keyword:gpu-for"), index::parse_field("text:stored"),
                       index::parse_field("few:u8:wah"), index::parse_field("t:text")});
    index::IndexWriter writer(directory_, options);
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t i = 0; i < kDocuments; ++i) {
      writer.add_document("d" + std::to_string(i * i), i % 17, std::string(i % 5, 'x'));
      add_values(*writer.fields(), i);
      writer.add_span(index::kMainText, i % 17 + 12);
      writer.add_span(kText, i % 11 + 3);
    }
    add_text_list(writer);
    for (const std::uint32_t step : {1u, 3u, 50u}) add_list(writer, step);
    for (const index::Docid docid : {1, 9, 64}) writer.remove(docid);
    writer.commit();
    manifest_ = index::read_manifest(directory_);
  }

  /// Input: a byte for the file (0xff: live documents, 0xfe: positions), then changes of its
  /// sections, each a byte for the section, one for what is done, two for a place, one for the
  /// number of bytes that follow.
  void run(std::span<const std::uint8_t> input) {
    if (input.empty()) return;
    constexpr std::array kKinds{index::kLexiconFile, index::kDocumentsFile, index::kPostingsFile,
                                index::kTextFile};
    const index::FileKind kind = input[0] == 0xff   ? index::kLiveFile
                                 : input[0] == 0xfe ? index::kPositionsFile
                                                    : kKinds[input[0] % kKinds.size()];
    run(kind, input.subspan(1));
  }
  /// Input: the same changes, of the file of the fields.
  void run_fields(std::span<const std::uint8_t> input) { run(index::kFieldsFile, input); }

 private:
  void run(index::FileKind kind, std::span<const std::uint8_t> input) {
    if (changed_ && changed_->tag != kind.tag) write(*changed_, sound(*changed_));
    std::vector<Section> sections = sound(kind);
    change(sections, input);
    mend_bitmaps(sections);
    write(kind, sections);
    changed_ = kind;
    read_all();
  }

  struct Section {
    index::Tag id;
    std::uint32_t flags;
    std::vector<std::byte> bytes;
  };

  static constexpr std::uint32_t kDocuments = 300;
  static constexpr std::uint32_t kText = 6;  ///< the text field's number

  static void add_values(index::FieldCollector& fields, std::uint32_t i) {
    const std::string text = std::to_string(i * 7 % 90);
    std::vector<index::FieldText> values{{2, text}, {3, text}, {2, "same"}};
    if (i % 3 != 0) values.push_back({0, text});
    const std::string stored(i % 7 * 40, static_cast<char>('a' + i % 26));
    if (i % 5 != 0) values.push_back({4, stored});
    const std::string few = std::to_string(i / 40 % 3);
    if (i % 7 != 0) values.push_back({5, few});
    const std::array<std::string, 3> numbers{text, text + ".5", "-" + text};
    for (std::uint32_t j = 0; j < i % 4; ++j) values.push_back({1, numbers[j]});
    index::FieldBatch batch;
    fields.converter().start(batch);
    fields.converter().add("d", values, batch);
    index::FieldConverter::set_length(kText, i % 11, batch);
    fields.add(batch);
  }

  /// What is decoded can be used without a further look.
  static void read_fields(const index::Index& index) {
    for (std::size_t f = 0; f < index.schema().fields().size(); ++f) {
      const index::FieldColumn& column = index.segments().front()->field(f);
      for (const std::uint64_t code : test::codes_in(column)) {
        need(code < std::max<std::uint64_t>(column.code_limit(), 1), "a code beyond the limit");
      }
      test::values_in(column);
      read_bitmaps(column);
      if (column.dictionary() != nullptr) column.dictionary()->lower_bound("5");
    }
  }

  /// Every row of a block is in one of its vectors.
  static void read_bitmaps(const index::FieldColumn& column) {
    if (column.bitmaps() == nullptr) return;
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      const std::uint32_t count = column.blocks()[b].count;
      const index::BitmapBlock block = column.bitmaps()->block(b);
      std::vector<std::uint64_t> rows((count + 63) / 64);
      for (std::uint32_t i = 0; i < block.size(); ++i) index::add_rows(block.atoms(i), rows);
      need(index::count_ones(rows, 0, count) == count, "a row in no vector");
    }
  }

  /// Of each posting as many places as its frequency, from the first one of its document on.
  static std::vector<std::uint32_t> first_places(const std::vector<std::uint32_t>& freqs) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t freq : freqs) {
      for (std::uint32_t i = 0; i < freq; ++i) places.push_back(3 * i);
    }
    return places;
  }

  /// Of the text field: long enough for bounds by its lengths.
  static void add_text_list(index::IndexWriter& writer) {
    std::vector<index::Docid> docids;
    for (std::uint32_t docid = 0; docid < kDocuments; ++docid) {
      if (docid % 11 != 0) docids.push_back(docid);
    }
    const std::string key = index::text_key(kText, "w");
    const std::vector<std::uint32_t> freqs(docids.size(), 1);
    writer.add_list(index::encode_list(key, docids, freqs, writer.lengths_for(key),
                                       writer.docid_codec(), writer.freq_codec(),
                                       {first_places(freqs), writer.spans_for(key)}));
  }

  static void add_list(index::IndexWriter& writer, std::uint32_t step) {
    std::vector<index::Docid> docids;
    std::vector<std::uint32_t> freqs;
    for (std::uint32_t docid = 0; docid < kDocuments; docid += step) {
      docids.push_back(docid);
      freqs.push_back(1 + docid % 4);
    }
    writer.add_list(index::encode_list(
        "t" + std::to_string(step), docids, freqs, writer.document_lengths(), writer.docid_codec(),
        writer.freq_codec(), {first_places(freqs), writer.spans_for("t")}));
  }

  std::filesystem::path path_of(index::FileKind kind) const {
    const index::SegmentRecord& segment = manifest_.segments.front();
    return directory_ / index::file_name(segment, *segment.find(kind));
  }

  const std::vector<Section>& sound(index::FileKind kind) {
    std::vector<Section>& sections = sound_[kind.tag.value];
    if (!sections.empty()) return sections;
    const index::ContainerReader file(path_of(kind), kind);
    for (const index::SectionRow& row : file.sections()) {
      const auto content = file.content(row);
      sections.push_back({row.id, row.flags, {content.begin(), content.end()}});
    }
    return sections;
  }

  static void change(std::vector<Section>& sections, std::span<const std::uint8_t> input) {
    while (input.size() >= 5) {
      std::vector<std::byte>& bytes = sections[input[0] % sections.size()].bytes;
      const std::size_t place = input[2] | input[3] << 8;
      const std::size_t length = std::min<std::size_t>(input[4], input.size() - 5);
      const auto part = std::as_bytes(input.subspan(5, length));
      if (input[1] % 3 == 0) bytes.resize(std::min(bytes.size(), place));
      if (input[1] % 3 == 1) bytes.insert(bytes.end(), part.begin(), part.end());
      if (input[1] % 3 == 2 && bytes.size() > place) {
        const std::size_t room = std::min(part.size(), bytes.size() - place);
        std::copy_n(part.begin(), room, bytes.begin() + static_cast<std::ptrdiff_t>(place));
      }
      input = input.subspan(5 + length);
    }
  }

  /// Gives the bitmaps' blocks the checksums of what they have become, so that their contents are
  /// looked at.
  static void mend_bitmaps(std::vector<Section>& sections) {
    const auto find = [&](index::FieldSection section) {
      return std::ranges::find(sections, index::field_tag(section, 5), &Section::id);
    };
    const auto words = find(index::FieldSection::kBitmaps);
    const auto rows = find(index::FieldSection::kBitmapRows);
    if (words == sections.end() || rows == sections.end()) return;
    index::BitmapRow row{};
    for (std::size_t at = 0; at + sizeof row <= rows->bytes.size(); at += sizeof row) {
      std::memcpy(&row, rows->bytes.data() + at, sizeof row);
      const std::uint64_t size = words->bytes.size() / 4;
      if (row.offset > size || row.words > size - row.offset) continue;
      row.checksum = index::xxh3(
          std::span<const std::byte>(words->bytes).subspan(4 * row.offset, 4 * row.words));
      std::memcpy(rows->bytes.data() + at, &row, sizeof row);
    }
  }

  /// Writes one file and the manifest of the sound index, but for that file.
  void write(index::FileKind kind, const std::vector<Section>& sections) const {
    index::Manifest manifest = manifest_;
    index::ContainerWriter writer(path_of(kind), kind);
    for (const Section& section : sections) {
      writer.begin_section(section.id, section.flags);
      writer.append(section.bytes);
      writer.end_section();
    }
    for (index::FileRecord& file : manifest.segments.front().files) {
      if (file.kind == kind.name) file.summary = writer.finish();
    }
    writer.publish();
    index::AtomicFile file(directory_ / index::kManifestName);
    const std::string json = index::to_json(manifest);
    file.append(index::bytes_of(std::string_view(json)));
    file.finish();
    file.publish();
  }

  static void read_positions(const index::Segment& segment, index::TermId id,
                             const index::PostingList& list) {
    std::vector<std::uint32_t> docids(list.count), freqs(list.count), positions;
    list.decode_docids(docids.data());
    list.decode_frequencies(freqs.data());
    index::decode_list_positions(segment, id, list, docids, freqs, positions);
    const auto spans = segment.text_spans(segment.text_of(id));
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      std::uint64_t least = 0;
      for (std::uint32_t k = 0; k < freqs[i]; ++k, ++at) {
        need(positions[at] >= least && positions[at] < spans[docids[i]], "a place of no document");
        least = std::uint64_t{positions[at]} + 1;
      }
    }
    need(at == positions.size(), "a position an occurrence");
  }

  void read_all() const {
    try {
      const index::Index index = index::Index::open(directory_);
      const index::Segment& segment = *index.segments().front();
      std::vector<index::Docid> found;
      for (const char* id : {"d4", "d100", "none"}) {
        segment.find_documents(id, found);
        index.find_document(id);
      }
      std::vector<std::uint32_t> values;
      for (index::TermId id = 0; id < segment.statistics().terms; ++id) {
        segment.find(segment.term(id));
        const index::PostingList list = segment.list(id);
        values.assign(list.count, 0);
        list.decode_docids(values.data());
        list.decode_frequencies(values.data());
        read_positions(segment, id, list);
      }
      for (index::Docid docid = 0; docid < segment.statistics().documents; ++docid) {
        segment.document_id(docid);
        segment.stored_text(docid);
      }
      read_fields(index);
      need(segment.text_lengths(kText).size() == kDocuments, "a length for each document");
    } catch (const FormatError&) {
      // Refused, as it should be; verify() says the same of it, without an error of another kind.
    }
    try {
      index::verify_index(directory_, 1, {});
    } catch (const FormatError&) {
      // The manifest cannot be read.
    }
  }

  std::filesystem::path directory_;
  index::Manifest manifest_;
  std::optional<index::FileKind> changed_;  ///< the file that is not sound now
  std::map<std::uint32_t, std::vector<Section>> sound_;
};

}  // namespace gannet::fuzz
