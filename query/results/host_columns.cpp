#include "query/results/host_columns.hpp"

namespace gannet::query {
namespace {

struct ColumnReasonText {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<ColumnReasonText, kColumnReasons> kColumnTexts{{
    {"few_documents", "an index of few documents"},
    {"scores", "an order with scores"},
    {"several_keys", "an order of too wide keys"},
    {"later_page", "a page that is not the first"},
    {"many_hits", "too many sorted hits"},
    {"groups", "groups"},
    {"wide_codes", "values of more than 32 bits"},
    {"many_codes", "too many different values"},
    {"many_bins", "too many bins"},
    {"unions", "synonyms"},
    {"device_memory", "want of GPU memory"},
}};

}  // namespace

std::string_view name_of(ColumnReason reason) {
  return kColumnTexts[static_cast<std::size_t>(reason)].name;
}

std::string_view text_of(ColumnReason reason) {
  return kColumnTexts[static_cast<std::size_t>(reason)].text;
}

std::string HostColumns::text() const {
  std::string text;
  for (std::size_t i = 0; i < kColumnReasons; ++i) {
    if (plans_[i] == 0) continue;
    text += text.empty() ? "the CPU looked at columns (" : ", ";
    text += "of " + std::to_string(plans_[i]) + (plans_[i] == 1 ? " plan" : " plans") + " for " +
            std::string(kColumnTexts[i].text);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace gannet::query
