#include "corpora/markup/wiki/wiki_link.hpp"

#include <algorithm>
#include <array>

#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Names of namespaces are the same with '_' for blanks.
bool same_namespace(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '_' ? ' ' : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char x = plain(a[i]);
    const char y = plain(b[i]);
    if (x != y && !same_name({&x, 1}, {&y, 1})) return false;
  }
  return true;
}

bool is_one_of(std::string_view name, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return same_namespace(name, known); });
}

/// Codes of languages have two or three small letters; prefixes of projects have other lengths.
bool is_language(std::string_view prefix) {
  return (prefix.size() == 2 || prefix.size() == 3) &&
         std::all_of(prefix.begin(), prefix.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

WikiLink kind_of_link(std::string_view target, const WikiNames& names) {
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || colon == 0) return WikiLink::kPage;
  const std::string_view prefix = trim(target.substr(0, colon));
  for (const char* file : {"file", "image", "media"}) {
    if (same_name(prefix, file)) return WikiLink::kFile;
  }
  if (is_one_of(prefix, names.files)) return WikiLink::kFile;
  if (same_name(prefix, "category") || is_one_of(prefix, names.categories)) {
    return WikiLink::kHidden;
  }
  return is_language(prefix) ? WikiLink::kLanguage : WikiLink::kPage;
}

bool is_file_option(std::string_view part) {
  // Of MediaWiki in English, and as wikis in German, French, Spanish, Italian, Portuguese, Dutch,
  // Polish and Russian call them.
  static constexpr std::array<std::string_view, 95> kOptions{"thumb",
                                                             "thumbnail",
                                                             "frame",
                                                             "framed",
                                                             "frameless",
                                                             "border",
                                                             "left",
                                                             "right",
                                                             "center",
                                                             "centre",
                                                             "none",
                                                             "baseline",
                                                             "sub",
                                                             "super",
                                                             "top",
                                                             "text-top",
                                                             "middle",
                                                             "text-bottom",
                                                             "bottom",
                                                             "upright",
                                                             "mini",
                                                             "miniatur",
                                                             "loop",
                                                             "muted",
                                                             "gerahmt",
                                                             "rahmenlos",
                                                             "hochkant",
                                                             "rechts",
                                                             "links",
                                                             "ohne",
                                                             "zentriert",
                                                             "rand",
                                                             "vignette",
                                                             "cadre",
                                                             "encadré",
                                                             "sans_cadre",
                                                             "gauche",
                                                             "droite",
                                                             "néant",
                                                             "centré",
                                                             "redresse",
                                                             "bordure",
                                                             "miniatura",
                                                             "miniaturadeimagen",
                                                             "derecha",
                                                             "der",
                                                             "dcha",
                                                             "izquierda",
                                                             "izda",
                                                             "izq",
                                                             "ninguna",
                                                             "centro",
                                                             "centrado",
                                                             "marco",
                                                             "enmarcado",
                                                             "sinmarco",
                                                             "borde",
                                                             "min",
                                                             "destra",
                                                             "sinistra",
                                                             "nessuno",
                                                             "riquadrato",
                                                             "incorniciato",
                                                             "senza_cornice",
                                                             "bordo",
                                                             "verticale",
                                                             "miniaturadaimagem",
                                                             "direita",
                                                             "esquerda",
                                                             "nenhum",
                                                             "commoldura",
                                                             "semmoldura",
                                                             "borda",
                                                             "miniatuur",
                                                             "geen",
                                                             "gecentreerd",
                                                             "omkaderd",
                                                             "kaderloos",
                                                             "rechtop",
                                                             "mały",
                                                             "prawo",
                                                             "lewo",
                                                             "brak",
                                                             "centruj",
                                                             "ramka",
                                                             "bezramki",
                                                             "мини",
                                                             "миниатюра",
                                                             "справа",
                                                             "слева",
                                                             "без",
                                                             "центр",
                                                             "обрамить",
                                                             "безрамки",
                                                             "граница"};
  static constexpr std::array<std::string_view, 21> kNames{
      "alt",       "link",      "lang",           "page",     "class",    "upright",  "thumb",
      "thumbnail", "thumbtime", "start",          "end",      "hochkant", "redresse", "seite",
      "mini",      "verweis",   "alternativtext", "vignette", "lien",     "enlace",   "rechtop"};
  part = trim(part);
  const auto is_part = [&](std::string_view option) { return same_name(option, part); };
  if (std::any_of(kOptions.begin(), kOptions.end(), is_part)) return true;
  const std::string_view name = trim(part.substr(0, part.find('=')));
  const auto is_name = [&](std::string_view known) { return same_name(known, name); };
  if (name.size() < part.size() && std::any_of(kNames.begin(), kNames.end(), is_name)) return true;
  // "300px", "x200 px", "200x300px"; "upright 1.2".
  if (part.starts_with("upright ")) {
    return part.find_first_not_of("0123456789.", 8) == std::string_view::npos;
  }
  if (!part.ends_with("px")) return false;
  const std::string_view size = trim(part.substr(0, part.size() - 2));
  return size.find_first_not_of("0123456789x") == std::string_view::npos;
}

}  // namespace gannet::corpora
