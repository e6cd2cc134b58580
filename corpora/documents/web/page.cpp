#include "corpora/documents/web/page.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "codecs/base/error.hpp"
#include "corpora/documents/web/http.hpp"
#include "corpora/markup/encoding/encoding.hpp"
#include "corpora/markup/html/charset.hpp"
#include "corpora/markup/markup.hpp"
#include "index/fields/field_text.hpp"
#include "index/text/words/suggest.hpp"

namespace gannet::corpora {
namespace {

/// So many bytes of a page are looked at for what it is.
constexpr std::size_t kSniffed = 1445;

/// Images and documents for printers whose first bytes might be text.
bool is_known_binary(std::string_view bytes) {
  constexpr std::array<std::string_view, 5> kMagic{"%PDF-", "%!PS-Adobe-", "GIF8", "\x89PNG",
                                                   "\xff\xd8\xff"};
  return std::any_of(kMagic.begin(), kMagic.end(),
                     [&](std::string_view magic) { return bytes.starts_with(magic); });
}

/// The standard's "binary data bytes": controls but for white space and ESC.
bool is_binary(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x08 || byte == 0x0b || (byte >= 0x0e && byte <= 0x1a) ||
         (byte >= 0x1c && byte <= 0x1f);
}

/// What a page without a type is, by its first bytes.
PageKind sniffed_kind(std::string_view bytes) {
  if (begins_with_markup(bytes)) return PageKind::kHtml;
  bytes = bytes.substr(0, kSniffed);
  if (bytes.empty() || is_known_binary(bytes)) return PageKind::kOther;
  if (encoding_marked(bytes)) return PageKind::kPlainText;
  return std::any_of(bytes.begin(), bytes.end(), is_binary) ? PageKind::kOther
                                                            : PageKind::kPlainText;
}

/// Text of two pieces of which either may be empty.
std::string joined(std::string_view a, std::string_view b) {
  std::string all(a);
  if (!a.empty() && !b.empty() && !a.ends_with('\n')) all += '\n';
  return all += b;
}

}  // namespace

bool says_type(std::string_view content_type) {
  const std::string_view type = without_parameters(content_type);
  return !type.empty() && !same_name(type, "unknown/unknown") &&
         !same_name(type, "application/unknown") && type != "*/*";
}

bool begins_with_markup(std::string_view bytes) {
  bytes = bytes.substr(0, kSniffed);
  std::string narrow;
  if (const auto mark = encoding_marked(bytes)) {
    bytes.remove_prefix(*mark == Encoding::kUtf8 ? 3 : 2);
    if (*mark != Encoding::kUtf8) {
      std::copy_if(bytes.begin(), bytes.end(), std::back_inserter(narrow),
                   [](char c) { return c != '\0'; });
      bytes = narrow;
    }
  }
  return trim(bytes).starts_with('<');
}

PageKind kind_of_page(std::string_view content_type, std::string_view bytes) {
  if (!says_type(content_type)) return sniffed_kind(bytes);
  const std::string_view type = without_parameters(content_type);
  if (same_name(type, "text/html") || same_name(type, "application/xhtml+xml")) {
    return PageKind::kHtml;
  }
  return same_name(type, "text/plain") ? PageKind::kPlainText : PageKind::kOther;
}

std::string PageText::body_text() const {
  const std::string_view text = all;
  std::string_view behind = text.substr(title.begin + title.size);
  if (behind.starts_with('\n')) behind.remove_prefix(1);
  return joined(text.substr(0, title.begin), behind);
}

namespace {

/// Names all that pages do not have at once.
void check_parts(const std::vector<std::string>& names, const std::vector<std::string>& there,
                 const std::string& all) {
  std::string unknown;
  for (const std::string& name : names) {
    if (std::ranges::count(there, name) != 0) continue;
    unknown += (unknown.empty() ? "'" : ", no '") + name + "'" + index::did_you_mean(name, there);
  }
  if (unknown.empty()) return;
  throw UsageError("pages of the web have no " + unknown + "; they have " + all +
                   " (of a field that is called otherwise, say path=)");
}

}  // namespace

const std::vector<std::pair<std::string_view, PageDocuments::Part>>& PageDocuments::parts() {
  static const std::vector<std::pair<std::string_view, Part>> parts{
      {index::kContentsField, Part::kContents},
      {"title", Part::kTitle},
      {"body", Part::kBody},
      {"url", Part::kUrl},
      {"host", Part::kHost},
      {"date", Part::kDate},
      {"type", Part::kType},
      {"language", Part::kLanguage}};
  return parts;
}

std::string PageDocuments::part_names() {
  std::string names;
  for (const auto& [name, part] : parts()) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

/// One that there is.
PageDocuments::Part PageDocuments::part_called(std::string_view name) {
  return std::ranges::find(parts(), name, [](const auto& part) { return part.first; })->second;
}

PageDocuments::PageDocuments(const ReaderOptions& options) : options_(options) {
  if (options_.fields.empty()) options_.fields = {std::string(index::kContentsField)};
  std::vector<std::string> names = options_.fields;
  for (const index::FieldSpec& field : options_.schema.fields()) names.push_back(field.source());
  std::vector<std::string> there;
  for (const auto& [name, part] : parts()) there.emplace_back(name);
  check_parts(names, there, part_names());
  for (const std::string& field : options_.fields) fields_.push_back(part_called(field));
  for (const index::FieldSpec& field : options_.schema.fields()) {
    values_.push_back(part_called(field.source()));
  }
}

std::string PageDocuments::of(Part part, const Page& page, const PageText& text) {
  switch (part) {
    case Part::kContents:
      return text.all;
    case Part::kTitle:
      return std::string(trim(text.title_text()));
    case Part::kBody:
      return text.body_text();
    case Part::kUrl:
      return std::string(page.url);
    case Part::kHost: {
      std::string host(host_of(page.url));
      std::transform(host.begin(), host.end(), host.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      return host;
    }
    case Part::kDate:
      return std::string(page.date);
    case Part::kType:
      return std::string(without_parameters(page.content_type));
    case Part::kLanguage:
      return std::string(page.language);
  }
  return {};
}

void PageDocuments::add(const Page& page, PageBatch& batch) const {
  PageText text;
  if (kind_of_page(page.content_type, page.bytes) == PageKind::kHtml) {
    text.title = append_html_text(page.bytes, text.all, options_.stop,
                                  parameter_of(page.content_type, "charset"));
  } else {
    std::string room;
    text.all = text_as_utf8(page.bytes, room, parameter_of(page.content_type, "charset"));
  }
  add(page, std::move(text), batch);
}

void PageDocuments::add(const Page& page, PageText text, PageBatch& batch) const {
  std::vector<index::FieldText> values;
  values_of(page, text, batch, values);
  batch.add(batch.keep(std::string(page.id)));
  for (const index::FieldText& value : values) batch.add_value(value.field, value.text);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    std::string part = fields_[i] == Part::kContents && i + 1 == fields_.size()
                           ? std::move(text.all)
                           : of(fields_[i], page, text);
    batch.add_field(options_.fields[i], batch.keep(std::move(part)));
  }
}

void PageDocuments::values_of(const Page& page, const PageText& text, PageBatch& batch,
                              std::vector<index::FieldText>& values) const {
  if (values_.empty()) return;
  const auto add = [&](std::uint32_t field, std::string value) {
    if (!trim(value).empty()) values.push_back({field, batch.keep(std::move(value))});
  };
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    const index::FieldSpec& field = options_.schema.fields()[i];
    std::string value = of(values_[i], page, text);
    if (values_[i] == Part::kDate) {
      if (field.traits().whole_days()) value.resize(std::min<std::size_t>(value.size(), 10));
      // Crawlers' clocks and programs are not the page's fault.
      if (index::value_problem(field, value)) continue;
    }
    if (values_[i] != Part::kLanguage || !field.multi) {
      add(i, std::move(value));
      continue;
    }
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      add(i, std::string(trim(std::string_view(value).substr(begin, end - begin))));
      begin = end + 1;
    }
  }
  index::FieldCheck check(options_.schema);
  if (auto problem = check.problem(values)) throw InputError(*problem);
}

}  // namespace gannet::corpora
