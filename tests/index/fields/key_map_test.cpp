// Values as ordered numbers.
#include "index/fields/key_map.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "index/fields/schema.hpp"

namespace gannet::index {
namespace {

using ::testing::HasSubstr;

FieldSpec field(const std::string& type) { return parse_field("f:" + type); }

std::uint64_t key(const std::string& type, std::string_view text) {
  std::string why;
  const auto found = key_of(field(type), text, &why);
  EXPECT_TRUE(found.has_value()) << type << " " << text << ": " << why;
  return found.value_or(0);
}

std::string again(const std::string& type, std::string_view text) {
  return value_text(field(type), key(type, text));
}

std::string refused(const std::string& type, std::string_view text) {
  std::string why;
  EXPECT_FALSE(key_of(field(type), text, &why).has_value()) << type << " took " << text;
  EXPECT_FALSE(key_of(field(type), text).has_value());
  return why;
}

/// Texts in the order of their values give ascending keys.
void expect_ascending(const std::string& type, const std::vector<std::string>& texts) {
  for (std::size_t i = 1; i < texts.size(); ++i) {
    EXPECT_LT(key(type, texts[i - 1]), key(type, texts[i])) << texts[i - 1] << " " << texts[i];
  }
}

TEST(KeyOf, LimitsOfIntegers) {
  for (const unsigned bits : {8u, 16u, 32u, 64u}) {
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
    const auto top = static_cast<std::int64_t>(most / 2);
    const std::string i = "i" + std::to_string(bits);
    const std::string u = "u" + std::to_string(bits);
    const std::string least = std::to_string(-top - 1);
    expect_ascending(i, {least, std::to_string(-top), "-1", "0", "1", std::to_string(top)});
    expect_ascending(u, {"0", "1", std::to_string(most)});
    EXPECT_EQ(again(i, least), least);
    EXPECT_EQ(again(u, std::to_string(most)), std::to_string(most));
    EXPECT_THAT(refused(u, "-1"), HasSubstr("from 0 to " + std::to_string(most)));
    if (bits == 64) {
      refused(i, "9223372036854775808");
      refused(i, "-9223372036854775809");
      refused(u, "18446744073709551616");
    } else {
      EXPECT_THAT(refused(i, std::to_string(top + 1)), HasSubstr("from " + least));
      refused(i, std::to_string(-top - 2));
      refused(u, std::to_string(most + 1));
    }
  }
  EXPECT_EQ(key("i8", "-128"), (std::uint64_t{1} << 63) - 128);
}

TEST(KeyOf, RefusesWhatIsNoNumber) {
  for (const char* type : {"i32", "u32", "decimal(2)", "f32", "f64"}) {
    for (const char* text : {"",     " 1",       "1 ",  "+",    "+-1", "++1", "-+1", "one",
                             "1x",   "0x10",     "--1", ".",    "-",   "nan", "NaN", "inf",
                             "-inf", "infinity", "1,5", "true", "1e",  "e5",  "1e+", "1e5.0"}) {
      EXPECT_THAT(refused(type, text), HasSubstr("must be")) << type << " '" << text << "'";
    }
  }
  for (const char* text : {"1.5", "1e-1", "1.", ".0", "1e10", "1e999999999999999999999"}) {
    EXPECT_THAT(refused("i32", text), HasSubstr("must be a whole number from -2147483648")) << text;
  }
}

/// Writers of JSON and tables spell whole numbers as floats.
TEST(KeyOf, WholeNumbersMayBeSpelledAsFloats) {
  for (const char* type : {"i32", "u32", "i64", "u64"}) {
    for (const char* text : {"2000.0", "2e3", "+2000", "2.000e+3", "20000E-1", "0.2e4", "2000."}) {
      if (std::string_view(text).ends_with('.')) {
        refused(type, text);
      } else {
        EXPECT_EQ(key(type, text), key(type, "2000")) << type << " " << text;
      }
    }
    for (const char* text : {"-0", "0.0", "0e99999999999999999999", "-0.0e-7", "+0"}) {
      EXPECT_EQ(key(type, text), key(type, "0")) << type << " " << text;
    }
    EXPECT_EQ(key("i64", "-9.223372036854775808e18"), key("i64", "-9223372036854775808"));
    EXPECT_EQ(key("u64", "1.8446744073709551615E+19"), key("u64", "18446744073709551615"));
    refused("u64", "1.8446744073709551616e19");
    refused("i64", "9.223372036854775808e18");
    refused("u8", "2.56e2");
    refused("u8", "-1e0");
  }
  EXPECT_EQ(key("f64", "+1.5"), key("f64", "1.5"));
}

TEST(KeyOf, DecimalsAreScaledExactly) {
  expect_ascending("decimal(2)", {"-92233720368547758.08", "-10", "-9.99", "-0.05", "-0.01", "0",
                                  "0.01", "0.1", "0.11", "1", "92233720368547758.07"});
  EXPECT_EQ(key("decimal(2)", "1.5"), key("decimal(2)", "1.50"));
  EXPECT_EQ(key("decimal(2)", "1.5"), key("decimal(2)", "1.50000"));
  EXPECT_EQ(key("decimal(2)", "-0"), key("decimal(2)", "0"));
  EXPECT_EQ(key("decimal(0)", "7"), key("i64", "7"));
  EXPECT_EQ(key("decimal(3)", "-1.25"), key("i64", "-1250"));
  for (const char* text : {"0", "-0.05", "12", "12.3", "-92233720368547758.08", "0.01", "100"}) {
    EXPECT_EQ(again("decimal(2)", text), text);
  }
  EXPECT_EQ(again("decimal(18)", "-0.000000000000000001"), "-0.000000000000000001");
  EXPECT_THAT(refused("decimal(2)", "1.005"), HasSubstr("at most 2 digits"));
  EXPECT_THAT(refused("decimal(2)", "92233720368547758.08"), HasSubstr("92233720368547758.07"));
  EXPECT_EQ(again("decimal(5)", "9e-05"), "0.00009");
  EXPECT_EQ(again("decimal(5)", "-1.25E+2"), "-125");
  EXPECT_EQ(again("decimal(2)", "+1e2"), "100");
  EXPECT_EQ(again("decimal(2)", "0.000e-9"), "0");
  EXPECT_THAT(refused("decimal(5)", "9e-06"), HasSubstr("at most 5 digits"));
  EXPECT_THAT(refused("decimal(2)", "1e17"), HasSubstr("92233720368547758.07"));
  for (const char* text : {"1.", "1e", "1.2.3", "1.-2", ".5", "-.5"}) refused("decimal(2)", text);
}

/// Every step of a float is a step of its key: the map is exact and loses nothing.
template <class Float, class Bits>
void expect_exact(const std::string& type) {
  std::mt19937_64 random(7);
  Float previous = 0;
  std::uint64_t previous_key = key(type, "0");
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<Float>(static_cast<Bits>(random()));
    if (!std::isfinite(value)) continue;
    const std::string text = fmt::format("{}", value);
    const std::uint64_t found = key(type, text);
    const Float back = static_cast<Float>(value_number(field(type), found));
    EXPECT_EQ(std::bit_cast<Bits>(back), std::bit_cast<Bits>(value)) << text;
    EXPECT_EQ(key(type, value_text(field(type), found)), found) << text;
    EXPECT_EQ(value < previous, found < previous_key) << text;
    const Float next = std::nextafter(value, std::numeric_limits<Float>::infinity());
    if (std::isfinite(next) && value != 0 && next != 0) {
      EXPECT_EQ(key(type, fmt::format("{}", next)), found + 1) << text;
    }
    previous = value;
    previous_key = found;
  }
}

TEST(KeyOf, FloatsKeepEveryBitAndTheirOrder) {
  expect_exact<float, std::uint32_t>("f32");
  expect_exact<double, std::uint64_t>("f64");
  for (const char* type : {"f32", "f64"}) {
    expect_ascending(type, {"-1e30", "-1", "-1e-40", "-0", "0", "1e-40", "1e-3", "1", "1e30"});
    EXPECT_EQ(key(type, "-0") + 1, key(type, "0"));
    EXPECT_EQ(again(type, "-0"), "-0");
    EXPECT_EQ(again(type, "0.1"), "0.1");
  }
  EXPECT_THAT(refused("f32", "1e39"), HasSubstr("32 bits"));
  EXPECT_THAT(refused("f64", "1e309"), HasSubstr("64 bits"));
  EXPECT_EQ(again("f32", "3.4028235e38"), "3.4028235e+38");
}

TEST(KeyOf, EveryDayOfTheCalendarSlow) {
  using std::chrono::days;
  using std::chrono::sys_days;
  using std::chrono::year_month_day;
  const auto text_of = [](year_month_day date) {
    return fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()},
                       unsigned{date.day()});
  };
  const sys_days first = std::chrono::year(1) / 1 / 1;
  const sys_days last = std::chrono::year(9999) / 12 / 31;
  const FieldSpec date = field("date");
  std::uint64_t expected = key("date", "0001-01-01");
  for (sys_days day = first; day <= last; day += days(1), ++expected) {
    const std::string text = text_of(day);
    ASSERT_EQ(key_of(date, text), expected) << text;
    ASSERT_EQ(value_text(date, expected), text);
  }
  EXPECT_EQ(expected - 1, key("date", "9999-12-31"));
  EXPECT_EQ(key("date", "1970-01-01"), std::uint64_t{1} << 63);
  EXPECT_EQ(value_number(date, key("date", "1970-01-11")), 10);
}

TEST(KeyOf, RefusesWhatIsNoDate) {
  EXPECT_THAT(refused("date", "2023-02-29"), HasSubstr("calendar"));
  EXPECT_THAT(refused("date", "1900-02-29"), HasSubstr("calendar"));
  EXPECT_THAT(refused("date", "2024-13-01"), HasSubstr("calendar"));
  EXPECT_THAT(refused("date", "2024-00-10"), HasSubstr("calendar"));
  EXPECT_THAT(refused("date", "0000-01-01"), HasSubstr("0001 to 9999"));
  EXPECT_THAT(refused("date", "2024-01-01T00:00"), HasSubstr("without a time"));
  for (const char* text : {"", "2024", "2024-1-1", "24-01-01", "2024/01/01", "2024-01", "x",
                           "12024-01-01", "-2024-01-01", "2024-01-1x"}) {
    EXPECT_THAT(refused("date", text), HasSubstr("2024-02-29")) << text;
  }
  key("date", "2000-02-29");
}

TEST(KeyOf, TimesWithAndWithoutZone) {
  const std::uint64_t epoch = std::uint64_t{1} << 63;
  EXPECT_EQ(key("time", "1970-01-01T00:00Z"), epoch);
  EXPECT_EQ(key("time", "1970-01-01"), epoch);
  EXPECT_EQ(key("time", "1970-01-01 00:00:01"), epoch + 1000);
  EXPECT_EQ(key("time", "1970-01-01T00:00:00.250"), epoch + 250);
  EXPECT_EQ(key("time", "1970-01-01T00:00:00,2"), epoch + 200);
  EXPECT_EQ(key("time", "1970-01-01T00:00:00.0019999Z"), epoch + 1);
  EXPECT_EQ(key("time", "1969-12-31T23:59:59.999Z"), epoch - 1);
  EXPECT_EQ(key("time", "1970-01-01T01:00+01:00"), epoch);
  EXPECT_EQ(key("time", "1970-01-01T01:30+0130"), epoch);
  EXPECT_EQ(key("time", "1969-12-31T19:00-05"), epoch);
  EXPECT_EQ(again("time", "2024-02-29T23:59:07.25+00:30"), "2024-02-29T23:29:07.250Z");
  EXPECT_EQ(again("time", "1969-12-31T23:59:59.999"), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(again("time", "0001-01-01"), "0001-01-01T00:00:00Z");
  EXPECT_EQ(again("time", "9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z");
  std::mt19937_64 random(3);
  const std::uint64_t span = key("time", "9999-12-31") - key("time", "0001-01-01");
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t wanted = key("time", "0001-01-01") + random() % span;
    EXPECT_EQ(key("time", value_text(field("time"), wanted)), wanted);
  }
}

TEST(KeyOf, RefusesWhatIsNoTime) {
  EXPECT_THAT(refused("time", "2024-01-01T24:00"), HasSubstr("00:00 of the next day"));
  EXPECT_THAT(refused("time", "2016-12-31T23:59:60Z"), HasSubstr("leap second"));
  EXPECT_THAT(refused("time", "2024-01-01T12:60"), HasSubstr("above 59"));
  EXPECT_THAT(refused("time", "2024-01-01T25:00"), HasSubstr("above 23"));
  EXPECT_THAT(refused("time", "0001-01-01T00:00+01:00"), HasSubstr("in UTC"));
  EXPECT_THAT(refused("time", "9999-12-31T23:30-01:00"), HasSubstr("in UTC"));
  EXPECT_THAT(refused("time", "2023-02-29T00:00"), HasSubstr("calendar"));
  for (const char* text :
       {"2024-01-01T", "2024-01-01T1:00", "2024-01-01T10", "2024-01-01T10:00:0",
        "2024-01-01T10:00.5", "2024-01-01T10:00:00.", "2024-01-01T10:00:00z",
        "2024-01-01T10:00:00+1", "2024-01-01T10:00:00+24:00", "2024-01-01T10:00:00+01:60",
        "2024-01-01T10:00:00Zx", "2024-01-01T10:00:00 Z", "2024-01-01x", "10:00"}) {
    EXPECT_FALSE(refused("time", text).empty()) << text;
  }
}

TEST(KeyOf, BooleansAreTrueAndFalse) {
  EXPECT_LT(key("bool", "false"), key("bool", "true"));
  EXPECT_EQ(again("bool", "true"), "true");
  EXPECT_EQ(again("bool", "false"), "false");
  for (const char* text : {"", "1", "0", "True", "yes"}) {
    EXPECT_THAT(refused("bool", text), HasSubstr("true or false"));
  }
}

TEST(ValueText, GivesTheKeyAgain) {
  std::mt19937_64 random(11);
  for (const char* type : {"i64", "u64", "decimal(0)", "decimal(5)", "decimal(18)"}) {
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t wanted = random() >> random() % 64;
      EXPECT_EQ(key(type, value_text(field(type), wanted)), wanted) << type;
      EXPECT_EQ(key(type, value_text(field(type), ~wanted)), ~wanted) << type;
    }
  }
}

/// Damaged files may have any key: no text is wrong then, but there is one.
TEST(ValueText, TakesKeysThatNoValueHas) {
  for (const char* type : {"i8", "f32", "f64", "date", "time", "bool", "decimal(3)"}) {
    for (const std::uint64_t wanted : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      EXPECT_FALSE(value_text(field(type), wanted).empty()) << type;
    }
  }
}

TEST(ValueNumber, IsTheValue) {
  EXPECT_EQ(value_number(field("i32"), key("i32", "-5")), -5);
  EXPECT_EQ(value_number(field("u64"), key("u64", "5")), 5);
  EXPECT_EQ(value_number(field("decimal(2)"), key("decimal(2)", "-1.25")), -1.25);
  EXPECT_EQ(value_number(field("f32"), key("f32", "0.5")), 0.5);
  EXPECT_EQ(value_number(field("f64"), key("f64", "-0.5")), -0.5);
  EXPECT_EQ(value_number(field("time"), key("time", "1970-01-01T00:00:01Z")), 1000);
  EXPECT_EQ(value_number(field("bool"), key("bool", "true")), 1);
}

}  // namespace
}  // namespace gannet::index
