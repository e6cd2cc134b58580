#include "index/text/analysis_libraries.hpp"

#include <fmt/format.h>
#include <unicode/uversion.h>
#include <utf8proc.h>
#include <xxhash.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "index/text/words/stemmer.hpp"

namespace gannet::index {
namespace {

/// Words with the endings that stemmers cut, of many of their languages.
constexpr std::array<std::string_view, 40> kProbes{
    "generally",       "running",        "flies",      "relational",      "hopping",
    "skies",           "happiness",      "university", "dying",           "succeeded",
    "houses",          "laufenden",      "häuser",     "kategorischen",   "continuellement",
    "majestueusement", "chevaux",        "abandonata", "programmazione",  "haciendo",
    "rápidamente",     "boataria",       "quilates",   "jaktkarlarne",    "friskheten",
    "havnefolk",       "kirjoittaminen", "autoissa",   "megváltoztatása", "книгами",
    "важнейшими",      "aansluitingen",  "opheffen",   "abruptamente",    "gözlükçüler",
    "προσπάθειας",     "المكتبات",       "पुस्तकों",      "akivaizdžiai",    "cruthaitheoirí"};

constexpr std::string_view kStemmerLibrary = "libstemmer";
constexpr std::string_view kStemmerLead = "libstemmer-";

std::string stemmer_checksum(const std::string& language) {
  Stemmer stemmer(language);
  std::string stems;
  for (const std::string_view word : kProbes) stems.append(stemmer.stem(word)) += '\n';
  std::array<char, 17> hex{};
  std::snprintf(hex.data(), hex.size(), "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(stems.data(), stems.size())));
  return hex.data();
}

std::string icu_version() {
  UVersionInfo version;
  u_getVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

}  // namespace

AnalysisLibraries linked_libraries(const AnalyzerConfig& config) {
  AnalysisLibraries libraries;
  libraries["utf8proc"] =
      std::string(utf8proc_version()) + " (Unicode " + utf8proc_unicode_version() + ")";
  if (config.tokenizer == "unicode") libraries["icu"] = icu_version();
  if (config.stemmer != "none") libraries["libstemmer"] = stemmer_checksum(config.stemmer);
  return libraries;
}

void add_field_libraries(const AnalyzerConfig& field, AnalyzerConfig& main) {
  for (auto& [name, version] : linked_libraries(field)) {
    if (name != kStemmerLibrary) {
      main.libraries.emplace(name, version);
    } else if (field.stemmer != main.stemmer) {
      main.libraries[std::string(kStemmerLead) + field.stemmer] = version;
    }
  }
}

std::vector<std::string> library_differences(const AnalyzerConfig& config) {
  std::vector<std::string> lines;
  if (config.libraries.empty()) return lines;
  AnalysisLibraries here = linked_libraries(config);
  for (const auto& [name, recorded] : config.libraries) {
    if (!name.starts_with(kStemmerLead)) continue;  // of text fields
    here[name] = stemmer_checksum(name.substr(kStemmerLead.size()));
  }
  for (const auto& [name, linked] : here) {
    const auto recorded = config.libraries.find(name);
    if (recorded == config.libraries.end() || recorded->second == linked) continue;
    lines.push_back(fmt::format(
        "the index was built with {} {}, this program has {}: some words may become other terms "
        "and not be found; build the index again to be sure",
        name, recorded->second, linked));
  }
  return lines;
}

}  // namespace gannet::index
