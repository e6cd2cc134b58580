// Where ICU's converters (72) differ from the indexes of the WHATWG Encoding standard,
// https://github.com/whatwg/encoding, a985b62a9b45. Made by a program that compared them all.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "corpora/markup/encoding/encoding.hpp"

namespace gannet::corpora {

/// A character of an encoding of several bytes.
struct Correction {
  Encoding encoding;
  std::uint16_t bytes;  ///< the first one above
  char16_t converted;   ///< what ICU makes of them, a character for private use, or U+FFFD: nothing
  std::string_view meant;  ///< as UTF-8
};

/// A character of an encoding of one byte.
struct ByteCorrection {
  Encoding encoding;
  std::uint8_t byte;
  char16_t meant;  ///< U+FFFD: none
};

// clang-format off
inline constexpr std::array<Correction, 183> kCorrections{{
  {Encoding::kGb18030, 0x0080, 0xFFFD, "\u20AC"},
  {Encoding::kGb18030, 0xA3A0, 0xE5E5, "\u3000"}, {Encoding::kGb18030, 0xA6D9, 0xE78D, "\uFE10"},
  {Encoding::kGb18030, 0xA6DA, 0xE78E, "\uFE12"}, {Encoding::kGb18030, 0xA6DB, 0xE78F, "\uFE11"},
  {Encoding::kGb18030, 0xA6DC, 0xE790, "\uFE13"}, {Encoding::kGb18030, 0xA6DD, 0xE791, "\uFE14"},
  {Encoding::kGb18030, 0xA6DE, 0xE792, "\uFE15"}, {Encoding::kGb18030, 0xA6DF, 0xE793, "\uFE16"},
  {Encoding::kGb18030, 0xA6EC, 0xE794, "\uFE17"}, {Encoding::kGb18030, 0xA6ED, 0xE795, "\uFE18"},
  {Encoding::kGb18030, 0xA6F3, 0xE796, "\uFE19"}, {Encoding::kGb18030, 0xFE59, 0xE81E, "\u9FB4"},
  {Encoding::kGb18030, 0xFE61, 0xE826, "\u9FB5"}, {Encoding::kGb18030, 0xFE66, 0xE82B, "\u9FB6"},
  {Encoding::kGb18030, 0xFE67, 0xE82C, "\u9FB7"}, {Encoding::kGb18030, 0xFE6D, 0xE832, "\u9FB8"},
  {Encoding::kGb18030, 0xFE7E, 0xE843, "\u9FB9"}, {Encoding::kGb18030, 0xFE90, 0xE854, "\u9FBA"},
  {Encoding::kGb18030, 0xFEA0, 0xE864, "\u9FBB"}, {Encoding::kBig5, 0x87A4, 0xFFFD, "\u9F97"},
  {Encoding::kBig5, 0x87AC, 0xFFFD, "\u9F96"}, {Encoding::kBig5, 0x8840, 0xF303, "\u31C0"},
  {Encoding::kBig5, 0x8841, 0xF304, "\u31C1"}, {Encoding::kBig5, 0x8842, 0xF305, "\u31C2"},
  {Encoding::kBig5, 0x8843, 0xF306, "\u31C3"}, {Encoding::kBig5, 0x8844, 0xF307, "\u31C4"},
  {Encoding::kBig5, 0x8846, 0xF309, "\u31C5"}, {Encoding::kBig5, 0x8849, 0xF30C, "\u31C6"},
  {Encoding::kBig5, 0x884A, 0xF30D, "\u31C7"}, {Encoding::kBig5, 0x884D, 0xF310, "\u31C8"},
  {Encoding::kBig5, 0x884F, 0xF312, "\u31C9"}, {Encoding::kBig5, 0x8850, 0xF313, "\u31CA"},
  {Encoding::kBig5, 0x8851, 0xF314, "\u31CB"}, {Encoding::kBig5, 0x8852, 0xF315, "\u31CC"},
  {Encoding::kBig5, 0x8854, 0xF317, "\u31CD"}, {Encoding::kBig5, 0x8855, 0xF318, "\u31CE"},
  {Encoding::kBig5, 0x8862, 0xF325, "\u00CA\u0304"},
  {Encoding::kBig5, 0x8864, 0xF327, "\u00CA\u030C"},
  {Encoding::kBig5, 0x88A3, 0xF344, "\u00EA\u0304"},
  {Encoding::kBig5, 0x88A5, 0xF346, "\u00EA\u030C"}, {Encoding::kBig5, 0x88A9, 0xF34A, "\u23DA"},
  {Encoding::kBig5, 0x88AA, 0xF34B, "\u23DB"}, {Encoding::kBig5, 0x8C43, 0xF57A, "\u9FA6"},
  {Encoding::kBig5, 0x8C6D, 0xF5A4, "\u9FA7"}, {Encoding::kBig5, 0x8C74, 0xF5AB, "\u9FA8"},
  {Encoding::kBig5, 0x8CB7, 0xF5CC, "\u9FA9"}, {Encoding::kBig5, 0x8CB9, 0xF5CE, "\u9FAA"},
  {Encoding::kBig5, 0x8CBB, 0xF5D0, "\u9FAB"}, {Encoding::kBig5, 0x8CC0, 0xF5D5, "\u9FAC"},
  {Encoding::kBig5, 0x8CD7, 0xF5EC, "\u9FAD"}, {Encoding::kBig5, 0x8CD8, 0xF5ED, "\u9FAE"},
  {Encoding::kBig5, 0x8CDA, 0xF5EF, "\u9FAF"}, {Encoding::kBig5, 0x8CED, 0xF602, "\u9FB2"},
  {Encoding::kBig5, 0x8D48, 0xF61C, "\u9FB3"}, {Encoding::kBig5, 0x8E69, 0xFFFD, "\u7BB8"},
  {Encoding::kBig5, 0x8E6F, 0xFFFD, "\u7C06"}, {Encoding::kBig5, 0x8E7E, 0xFFFD, "\u7CCE"},
  {Encoding::kBig5, 0x8EAB, 0xFFFD, "\u7DD2"}, {Encoding::kBig5, 0x8EB4, 0xFFFD, "\u7E1D"},
  {Encoding::kBig5, 0x8ECD, 0xFFFD, "\u8005"}, {Encoding::kBig5, 0x8ED0, 0xFFFD, "\u8028"},
  {Encoding::kBig5, 0x8F57, 0xFFFD, "\u83C1"}, {Encoding::kBig5, 0x8F69, 0xFFFD, "\u84A8"},
  {Encoding::kBig5, 0x8F6E, 0xFFFD, "\u840F"}, {Encoding::kBig5, 0x8FCB, 0xFFFD, "\u89A6"},
  {Encoding::kBig5, 0x8FCC, 0xFFFD, "\u89A9"}, {Encoding::kBig5, 0x8FFE, 0xFFFD, "\u8D77"},
  {Encoding::kBig5, 0x906D, 0xFFFD, "\u90FD"}, {Encoding::kBig5, 0x907A, 0xFFFD, "\u92B9"},
  {Encoding::kBig5, 0x90DC, 0xFFFD, "\u975C"}, {Encoding::kBig5, 0x90F1, 0xFFFD, "\u97FF"},
  {Encoding::kBig5, 0x91BF, 0xFFFD, "\u9F16"}, {Encoding::kBig5, 0x9244, 0xFFFD, "\u8503"},
  {Encoding::kBig5, 0x92AF, 0xFFFD, "\u5159"}, {Encoding::kBig5, 0x92B0, 0xFFFD, "\u515B"},
  {Encoding::kBig5, 0x92B1, 0xFFFD, "\u515D"}, {Encoding::kBig5, 0x92B2, 0xFFFD, "\u515E"},
  {Encoding::kBig5, 0x92C8, 0xFFFD, "\u936E"}, {Encoding::kBig5, 0x92D1, 0xFFFD, "\u7479"},
  {Encoding::kBig5, 0x9447, 0xFFFD, "\u6D67"}, {Encoding::kBig5, 0x94CA, 0xFFFD, "\u799B"},
  {Encoding::kBig5, 0x95D9, 0xFFFD, "\u9097"}, {Encoding::kBig5, 0x9644, 0xFFFD, "\u975D"},
  {Encoding::kBig5, 0x96ED, 0xFFFD, "\u701E"}, {Encoding::kBig5, 0x96FC, 0xFFFD, "\u5B28"},
  {Encoding::kBig5, 0x9B76, 0xFFFD, "\u7201"}, {Encoding::kBig5, 0x9B78, 0xFFFD, "\u77D7"},
  {Encoding::kBig5, 0x9B7B, 0xFFFD, "\u7E87"}, {Encoding::kBig5, 0x9BC6, 0xFFFD, "\u99D6"},
  {Encoding::kBig5, 0x9BDE, 0xFFFD, "\u91D4"}, {Encoding::kBig5, 0x9BEC, 0xFFFD, "\u60DE"},
  {Encoding::kBig5, 0x9BF6, 0xFFFD, "\u6FB6"}, {Encoding::kBig5, 0x9C42, 0xFFFD, "\u8F36"},
  {Encoding::kBig5, 0x9C53, 0xFFFD, "\u4FBB"}, {Encoding::kBig5, 0x9C62, 0xFFFD, "\u71DF"},
  {Encoding::kBig5, 0x9C68, 0xFFFD, "\u9104"}, {Encoding::kBig5, 0x9C6B, 0xFFFD, "\u9DF0"},
  {Encoding::kBig5, 0x9C77, 0xFFFD, "\u83CF"}, {Encoding::kBig5, 0x9CBC, 0xFFFD, "\u5C10"},
  {Encoding::kBig5, 0x9CBD, 0xFFFD, "\u79E3"}, {Encoding::kBig5, 0x9CD0, 0xFFFD, "\u5A67"},
  {Encoding::kBig5, 0x9D57, 0xFFFD, "\u8F0B"}, {Encoding::kBig5, 0x9D5A, 0xFFFD, "\u7B51"},
  {Encoding::kBig5, 0x9DC4, 0xFFFD, "\u62D0"}, {Encoding::kBig5, 0x9EA9, 0xFFFD, "\u6062"},
  {Encoding::kBig5, 0x9EEF, 0xFFFD, "\u75F9"}, {Encoding::kBig5, 0x9EFD, 0xFFFD, "\u6C4A"},
  {Encoding::kBig5, 0x9F60, 0xFFFD, "\u9B2E"}, {Encoding::kBig5, 0x9F66, 0xFFFD, "\u9F17"},
  {Encoding::kBig5, 0x9FCB, 0xFFFD, "\u50ED"}, {Encoding::kBig5, 0x9FD8, 0xFFFD, "\u5F0C"},
  {Encoding::kBig5, 0xA063, 0xFFFD, "\u880F"}, {Encoding::kBig5, 0xA077, 0xFFFD, "\u62CE"},
  {Encoding::kBig5, 0xA0D5, 0xFFFD, "\u7468"}, {Encoding::kBig5, 0xA0DF, 0xFFFD, "\u7162"},
  {Encoding::kBig5, 0xA0E4, 0xFFFD, "\u7250"}, {Encoding::kBig5, 0xA3C0, 0xFFFD, "\u2400"},
  {Encoding::kBig5, 0xA3C1, 0xFFFD, "\u2401"}, {Encoding::kBig5, 0xA3C2, 0xFFFD, "\u2402"},
  {Encoding::kBig5, 0xA3C3, 0xFFFD, "\u2403"}, {Encoding::kBig5, 0xA3C4, 0xFFFD, "\u2404"},
  {Encoding::kBig5, 0xA3C5, 0xFFFD, "\u2405"}, {Encoding::kBig5, 0xA3C6, 0xFFFD, "\u2406"},
  {Encoding::kBig5, 0xA3C7, 0xFFFD, "\u2407"}, {Encoding::kBig5, 0xA3C8, 0xFFFD, "\u2408"},
  {Encoding::kBig5, 0xA3C9, 0xFFFD, "\u2409"}, {Encoding::kBig5, 0xA3CA, 0xFFFD, "\u240A"},
  {Encoding::kBig5, 0xA3CB, 0xFFFD, "\u240B"}, {Encoding::kBig5, 0xA3CC, 0xFFFD, "\u240C"},
  {Encoding::kBig5, 0xA3CD, 0xFFFD, "\u240D"}, {Encoding::kBig5, 0xA3CE, 0xFFFD, "\u240E"},
  {Encoding::kBig5, 0xA3CF, 0xFFFD, "\u240F"}, {Encoding::kBig5, 0xA3D0, 0xFFFD, "\u2410"},
  {Encoding::kBig5, 0xA3D1, 0xFFFD, "\u2411"}, {Encoding::kBig5, 0xA3D2, 0xFFFD, "\u2412"},
  {Encoding::kBig5, 0xA3D3, 0xFFFD, "\u2413"}, {Encoding::kBig5, 0xA3D4, 0xFFFD, "\u2414"},
  {Encoding::kBig5, 0xA3D5, 0xFFFD, "\u2415"}, {Encoding::kBig5, 0xA3D6, 0xFFFD, "\u2416"},
  {Encoding::kBig5, 0xA3D7, 0xFFFD, "\u2417"}, {Encoding::kBig5, 0xA3D8, 0xFFFD, "\u2418"},
  {Encoding::kBig5, 0xA3D9, 0xFFFD, "\u2419"}, {Encoding::kBig5, 0xA3DA, 0xFFFD, "\u241A"},
  {Encoding::kBig5, 0xA3DB, 0xFFFD, "\u241B"}, {Encoding::kBig5, 0xA3DC, 0xFFFD, "\u241C"},
  {Encoding::kBig5, 0xA3DD, 0xFFFD, "\u241D"}, {Encoding::kBig5, 0xA3DE, 0xFFFD, "\u241E"},
  {Encoding::kBig5, 0xA3DF, 0xFFFD, "\u241F"}, {Encoding::kBig5, 0xA3E0, 0xFFFD, "\u2421"},
  {Encoding::kBig5, 0xC6CF, 0xFFFD, "\u5EF4"}, {Encoding::kBig5, 0xC6D3, 0xFFFD, "\u65E0"},
  {Encoding::kBig5, 0xC6D5, 0xFFFD, "\u7676"}, {Encoding::kBig5, 0xC6D7, 0xFFFD, "\u96B6"},
  {Encoding::kBig5, 0xC6DE, 0xFFFD, "\u3003"}, {Encoding::kBig5, 0xC6DF, 0xFFFD, "\u4EDD"},
  {Encoding::kBig5, 0xC879, 0xF7E5, "\u31CF"}, {Encoding::kBig5, 0xC8A1, 0xF7EB, "\u9FB0"},
  {Encoding::kBig5, 0xC8A3, 0xF7ED, "\u9FB1"}, {Encoding::kBig5, 0xFA5F, 0xFFFD, "\u5029"},
  {Encoding::kBig5, 0xFA66, 0xFFFD, "\u507D"}, {Encoding::kBig5, 0xFABD, 0xFFFD, "\u5305"},
  {Encoding::kBig5, 0xFAC5, 0xFFFD, "\u5344"}, {Encoding::kBig5, 0xFAD5, 0xFFFD, "\u537F"},
  {Encoding::kBig5, 0xFB48, 0xFFFD, "\u5605"}, {Encoding::kBig5, 0xFBB8, 0xFFFD, "\u5A77"},
  {Encoding::kBig5, 0xFBF3, 0xFFFD, "\u5E75"}, {Encoding::kBig5, 0xFBF9, 0xFFFD, "\u5ED0"},
  {Encoding::kBig5, 0xFC4F, 0xFFFD, "\u5F58"}, {Encoding::kBig5, 0xFC6C, 0xFFFD, "\u60A4"},
  {Encoding::kBig5, 0xFCB9, 0xFFFD, "\u6490"}, {Encoding::kBig5, 0xFCE2, 0xFFFD, "\u6674"},
  {Encoding::kBig5, 0xFCF1, 0xFFFD, "\u675E"}, {Encoding::kBig5, 0xFDB7, 0xFFFD, "\u6C9C"},
  {Encoding::kBig5, 0xFDB8, 0xFFFD, "\u6E1D"}, {Encoding::kBig5, 0xFDBB, 0xFFFD, "\u6E2F"},
  {Encoding::kBig5, 0xFDF1, 0xFFFD, "\u716E"}, {Encoding::kBig5, 0xFE52, 0xFFFD, "\u732A"},
  {Encoding::kBig5, 0xFE6F, 0xFFFD, "\u745C"}, {Encoding::kBig5, 0xFEAA, 0xFFFD, "\u74E9"},
  {Encoding::kBig5, 0xFEDD, 0xFFFD, "\u7809"}, {Encoding::kEucKr, 0x00FF, 0xF8F7, "\uFFFD"},
}};

inline constexpr std::array<ByteCorrection, 12> kByteCorrections{{
  {Encoding::kKoi8U, 0xAE, 0x045E},
  {Encoding::kKoi8U, 0xBE, 0x040E},
  {Encoding::kWindows874, 0xDB, 0xFFFD},
  {Encoding::kWindows874, 0xDC, 0xFFFD},
  {Encoding::kWindows874, 0xDD, 0xFFFD},
  {Encoding::kWindows874, 0xDE, 0xFFFD},
  {Encoding::kWindows874, 0xFC, 0xFFFD},
  {Encoding::kWindows874, 0xFD, 0xFFFD},
  {Encoding::kWindows874, 0xFE, 0xFFFD},
  {Encoding::kWindows874, 0xFF, 0xFFFD},
  {Encoding::kWindows1253, 0xAA, 0xFFFD},
  {Encoding::kWindows1255, 0xCA, 0x05BA},
}};

/// ISO-8859-16 from byte 0xA0; ICU does not have it.
inline constexpr std::array<char16_t, 96> kIso885916{
  0x00A0, 0x0104, 0x0105, 0x0141, 0x20AC, 0x201E, 0x0160, 0x00A7, 0x0161, 0x00A9, 0x0218, 0x00AB,
  0x0179, 0x00AD, 0x017A, 0x017B, 0x00B0, 0x00B1, 0x010C, 0x0142, 0x017D, 0x201D, 0x00B6, 0x00B7,
  0x017E, 0x010D, 0x0219, 0x00BB, 0x0152, 0x0153, 0x0178, 0x017C, 0x00C0, 0x00C1, 0x00C2, 0x0102,
  0x00C4, 0x0106, 0x00C6, 0x00C7, 0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF,
  0x0110, 0x0143, 0x00D2, 0x00D3, 0x00D4, 0x0150, 0x00D6, 0x015A, 0x0170, 0x00D9, 0x00DA, 0x00DB,
  0x00DC, 0x0118, 0x021A, 0x00DF, 0x00E0, 0x00E1, 0x00E2, 0x0103, 0x00E4, 0x0107, 0x00E6, 0x00E7,
  0x00E8, 0x00E9, 0x00EA, 0x00EB, 0x00EC, 0x00ED, 0x00EE, 0x00EF, 0x0111, 0x0144, 0x00F2, 0x00F3,
  0x00F4, 0x0151, 0x00F6, 0x015B, 0x0171, 0x00F9, 0x00FA, 0x00FB, 0x00FC, 0x0119, 0x021B, 0x00FF,
};
// clang-format on

}  // namespace gannet::corpora
