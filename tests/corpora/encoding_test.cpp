// Encodings by the WHATWG standard: labels, conversion, and which one a text is in.
#include "corpora/markup/encoding/encoding.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpora/markup/encoding/decoder.hpp"
#include "corpora/markup/encoding/labels.hpp"
#include "corpora/markup/html/charset.hpp"

namespace gannet {
namespace {

using corpora::Decoder;
using corpora::Encoding;
using corpora::encoding_called;

std::string labelled_as_utf8(std::string_view label, std::string_view bytes) {
  std::string room;
  const auto encoding = encoding_called(label);
  if (!encoding) return "no encoding: " + std::string(label);
  return std::string(corpora::decoded(bytes, *encoding, room));
}

std::string page_as_utf8(std::string_view page, std::string_view transport = {}) {
  std::string room;
  return std::string(corpora::html_as_utf8(page, room, transport));
}

std::string plain_as_utf8(std::string_view text, std::string_view transport = {}) {
  std::string room;
  return std::string(corpora::text_as_utf8(text, room, transport));
}

TEST(Encodings, LabelsMeanWhatTheStandardSays) {
  struct Case {
    const char *label, *name;
  };
  for (const Case& c : {Case{"gb2312", "GBK"},
                        {"x-gbk", "GBK"},
                        {"GB18030", "gb18030"},
                        {"iso-8859-1", "windows-1252"},
                        {"Latin1", "windows-1252"},
                        {"us-ascii", "windows-1252"},
                        {"iso-8859-9", "windows-1254"},
                        {"iso-8859-11", "windows-874"},
                        {"tis-620", "windows-874"},
                        {"ks_c_5601-1987", "EUC-KR"},
                        {"sjis", "Shift_JIS"},
                        {"windows-31j", "Shift_JIS"},
                        {"big5-hkscs", "Big5"},
                        {"unicode", "UTF-16LE"},
                        {"utf-16", "UTF-16LE"},
                        {" \tUTF8\r\n", "UTF-8"},
                        {"x-user-defined", "x-user-defined"},
                        {"hz-gb-2312", "HZ-GB-2312"},
                        {"mac", "macintosh"}}) {
    const auto encoding = encoding_called(c.label);
    ASSERT_TRUE(encoding) << c.label;
    EXPECT_EQ(corpora::name_of(*encoding), c.name) << c.label;
  }
  for (const char* unknown : {"", " ", "klingon", "utf-7", "replacement", "utf 8", "iso-8859-12",
                              "a label that is longer than all of them are"}) {
    EXPECT_FALSE(encoding_called(unknown)) << unknown;
  }
}

TEST(Encodings, EveryOneCanBeRead) {
  for (const corpora::EncodingLabel& known : corpora::kEncodingLabels) {
    std::string out;
    Decoder(known.encoding).append("a\n", true, out);
    const bool wide = known.encoding == Encoding::kUtf16le || known.encoding == Encoding::kUtf16be;
    EXPECT_EQ(out, wide ? known.encoding == Encoding::kUtf16le ? "\u0A61" : "\u610A" : "a\n")
        << known.label;
  }
}

TEST(Encodings, BytesAreTheCharactersOfTheStandardsIndexes) {
  struct Case {
    const char *label, *bytes, *text;
  };
  for (const Case& c : {
           Case{"iso-8859-1", "\x80\x93\xE9\x81", "\u20AC\u201C\u00E9\u0081"},
           {"iso-8859-9", "\x80\xDD\xFD\xF0", "\u20AC\u0130\u0131\u011F"},
           {"ibm866", "\x1A\x7F\x80\xFD", "\x1A\x7F\u0410\u00A4"},
           {"koi8-u", "\xAE\xBE\xA4", "\u045E\u040E\u0454"},
           {"iso-8859-16", "\xA4\xBA\x85", "\u20AC\u0219\u0085"},
           {"windows-874", "\xA1\xDB\xFF", "\u0E01\uFFFD\uFFFD"},
           {"windows-1253", "\xAA\xE1", "\uFFFD\u03B1"},
           {"windows-1255", "\xCA\xE0", "\u05BA\u05D0"},
           {"iso-8859-8-i", "\xE0", "\u05D0"},
           {"macintosh", "\x8E\xDB", "\u00E9\u20AC"},
           {"x-mac-cyrillic", "\x80\xFF", "\u0410\u20AC"},
           {"x-user-defined", "a\x80\xFF", "a\uF780\uF7FF"},
           // Characters of GBK that GB 2312 lacks, the euro, and four bytes.
           {"gb2312", "\xE9\x46\x80\xA2\xE3\x81\x30\x89\x38", "\u9555\u20AC\u20AC\u00DF"},
           {"gbk", "\xA3\xA0\xA6\xD9\xFE\x59", "\u3000\uFE10\u9FB4"},
           {"gb18030",
            "a\xFF"
            "b",
            "a\uFFFD"
            "b"},
           {"big5", "\xA4\xA4\xA3\xE1\x87\x40\x88\x62\x8E\x69\xA3\xC0",
            "\u4E2D\u20AC\u43F0\u00CA\u0304\u7BB8\u2400"},
           {"big5", "\x88\x40\xFA\x40", "\u31C0\U00020547"},
           {"euc-jp", "\xC6\xFC\x8E\xB1\x8F\xB0\xA1\xAD\xA1", "\u65E5\uFF71\u4E02\u2460"},
           {"shift_jis", "\x93\xFA\xB1\x87\x40\x81\x60\x5C\xF0\x40",
            "\u65E5\uFF71\u2460\uFF5E\\\uE000"},
           {"shift_jis",
            "\xA0"
            "a\x81<",
            "\uFFFD"
            "a\uFFFD<"},
           {"euc-kr", "\xB0\xA1\x81\x41\xFF", "\uAC00\uAC02\uFFFD"},
           {"iso-2022-jp", "\x1B$BF|\x1B(Ba", "\u65E5a"},
           {"hz-gb-2312", "~{VP~}a", "\u4E2Da"},
           {"iso-2022-kr",
            "\x1B$)C\x0E\x30\x21\x0F"
            "a",
            "\uAC00a"},
           {"utf-8",
            "a\xF0\x9F"
            "b\xC0\xAF",
            "a\uFFFD"
            "b\uFFFD\uFFFD"},
       }) {
    EXPECT_EQ(labelled_as_utf8(c.label, c.bytes), c.text) << c.label;
  }
  EXPECT_EQ(labelled_as_utf8("utf-16be", std::string_view("\0a\xD8\x34\xDD\x1E\xDC\0", 8)),
            "a\U0001D11E\uFFFD");
}

TEST(Encodings, PiecesMayEndAnywhere) {
  struct Case {
    Encoding encoding;
    std::string bytes;
  };
  for (const Case& c : {Case{Encoding::kUtf8, "a\u00E9\u65E5\U0001D11E\xFF"},
                        {Encoding::kGb18030,
                         "\x81\x30\x89\x38\xA3\xA0"
                         "a"},
                        {Encoding::kBig5,
                         "\x88\x62\x8E\x69"
                         "a\xA4\xA4"},
                        {Encoding::kIso2022Jp, "\x1B$BF|K\\\x1B(Ba"},
                        {Encoding::kUtf16le, std::string("a\0\x34\xD8\x1E\xDD"
                                                         "b\0",
                                                         8)},
                        {Encoding::kWindows1252, "\x80\xE9"}}) {
    std::string whole;
    Decoder(c.encoding).append(c.bytes, true, whole);
    std::string pieces;
    Decoder decoder(c.encoding);
    for (const char byte : c.bytes) decoder.append({&byte, 1}, false, pieces);
    decoder.append({}, true, pieces);
    EXPECT_EQ(pieces, whole) << corpora::name_of(c.encoding);
  }
}

TEST(Encodings, APagesOwnDeclarationIsReadAsBrowsersDo) {
  const std::string word = "caf\u00E9";
  EXPECT_EQ(page_as_utf8("<meta charset=gb2312>\xE9\x46").substr(21), "\u9555");
  EXPECT_EQ(page_as_utf8("<meta content='a; CHARSET = \"koi8-r\" x' http-equiv=Content-Type>\xD5")
                .substr(64),
            "\u0443");
  // A charset in another attribute's text is none.
  EXPECT_EQ(page_as_utf8("<meta name=description content='charset=koi8-r'>caf\xE9").substr(48),
            word);
  EXPECT_EQ(page_as_utf8("<!-- <meta charset=koi8-r> -->caf\xE9").substr(30), word);
  EXPECT_EQ(page_as_utf8("<a title='<meta charset=koi8-r>'>caf\xE9").substr(33), word);
  // Not UTF-16, or it could not have been read.
  EXPECT_EQ(page_as_utf8("<meta charset=utf-16>" + word).substr(21), word);
  EXPECT_EQ(page_as_utf8("<meta charset=x-user-defined>caf\xE9").substr(29), word);
  EXPECT_EQ(page_as_utf8("<?xml version='1.0' encoding='koi8-r'?>\xD5").substr(39), "\u0443");
}

TEST(Encodings, ALateDeclarationIsReadUpToTheBody) {
  const std::string comment = "<!-- " + std::string(1100, 'x') + " -->";
  const std::string meta = "<meta charset=koi8-r>";
  const auto end_of = [](const std::string& head, std::string_view text) {
    return page_as_utf8(head + std::string(text)).substr(head.size());
  };
  EXPECT_EQ(end_of(comment + meta + "<body>", "\xD5"), "\u0443");
  EXPECT_EQ(end_of("<script>" + comment + "</script>" + meta, "\xD5"), "\u0443");
  EXPECT_EQ(end_of(comment + "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
                   "\xD5"),
            "\u0443");
  // What is UTF-8 stays it, and neither scripts nor the body declare anything.
  EXPECT_EQ(end_of(comment + meta, "caf\u00E9"), "caf\u00E9");
  EXPECT_EQ(end_of("<script>" + comment + meta + "</script>", "caf\xE9"), "caf\u00E9");
  EXPECT_EQ(end_of(comment + "<body>" + meta, "caf\xE9"), "caf\u00E9");
}

TEST(Encodings, AMarkCountsBeforeTheTransportAndThatBeforeTheDeclaration) {
  const std::string word = "caf\u00E9";
  EXPECT_EQ(page_as_utf8("\xEF\xBB\xBF" + word, "koi8-r"), word);
  EXPECT_EQ(page_as_utf8(std::string_view("\xFF\xFE"
                                          "c\0\xE9\0",
                                          6),
                         "utf-8"),
            "c\u00E9");
  EXPECT_EQ(page_as_utf8("<meta charset=koi8-r>\xE9", "iso-8859-1").substr(21), "\u00E9");
  // What nobody knows is as none: the declaration, then what the bytes look like.
  EXPECT_EQ(page_as_utf8("<meta charset=koi8-r>\xD5", "klingon").substr(21), "\u0443");
  EXPECT_EQ(page_as_utf8("<meta charset=klingon>" + word, "none").substr(22), word);
  EXPECT_EQ(page_as_utf8("<meta charset=klingon>caf\xE9").substr(22), word);
}

TEST(Encodings, Utf16WithoutAMarkIsToldByItsZeros) {
  const std::string le("a\0 \0w\0o\0r\0d\0\n\0\xAC\x20", 16);
  const std::string be("\0a\0 \0w\0o\0r\0d\0\n\x20\xAC", 16);
  EXPECT_EQ(plain_as_utf8(le), "a word\n\u20AC");
  EXPECT_EQ(plain_as_utf8(be), "a word\n\u20AC");
  EXPECT_EQ(plain_as_utf8(std::string("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ(plain_as_utf8(std::string(16, '\0')), std::string(16, '\0'));
  EXPECT_EQ(plain_as_utf8("caf\xE9"), "caf\u00E9");
  EXPECT_EQ(plain_as_utf8("caf\u00E9"), "caf\u00E9");
  EXPECT_EQ(plain_as_utf8("\xD5", "koi8-r"), "\u0443");
}

TEST(Encodings, WhatIsNotUtf8IsNamedByItsByte) {
  EXPECT_EQ(corpora::not_utf8("caf\u00E9"), "");
  const std::string problem = corpora::not_utf8(
      "\u00E9\u65E5"
      "caf\xE9 au lait");
  EXPECT_TRUE(problem.starts_with("byte 9 (0xe9) is not UTF-8")) << problem;
  EXPECT_NE(problem.find("--encoding"), std::string::npos) << problem;
  EXPECT_TRUE(corpora::not_utf8("\u65E5\xE6\x97").starts_with("byte 4 (0xe6)"));
}

}  // namespace
}  // namespace gannet
