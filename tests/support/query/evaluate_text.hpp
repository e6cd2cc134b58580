// The value of a formula that is written as text: numbers, + - * / ^, parentheses, ln, log2, max,
// pi, and "..., with x = ...".
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace gannet::test {

class TextEvaluator {
 public:
  explicit TextEvaluator(std::string text, std::map<std::string, double> names)
      : text_(std::move(text)), names_(std::move(names)) {}

  double value() {
    const double sum = add();
    if (at_ != text_.size()) fail();
    return sum;
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error(text_ + ": at " + text_.substr(at_)); }

  bool take(char c) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  double add() {
    double sum = multiply();
    while (true) {
      if (take('+')) {
        sum += multiply();
      } else if (take('-')) {
        sum -= multiply();
      } else {
        return sum;
      }
    }
  }

  double multiply() {
    double product = power();
    while (true) {
      if (take('*')) {
        product *= power();
      } else if (take('/')) {
        product /= power();
      } else {
        return product;
      }
    }
  }

  double power() {
    const double base = operand();
    return take('^') ? std::pow(base, operand()) : base;
  }

  double operand() {
    if (take('-')) return -operand();
    if (take('(')) return closed(add());
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalpha(text_[at_]) != 0 || (at_ > begin && std::isdigit(text_[at_]) != 0)))
      ++at_;
    if (at_ == begin) return number();
    const std::string name = text_.substr(begin, at_ - begin);
    if (!take('(')) return names_.at(name);
    const double first = add();
    if (name == "max") {
      if (!take(',')) fail();
      return closed(std::max(first, add()));
    }
    if (name == "ln") return closed(std::log(first));
    if (name == "log2") return closed(std::log2(first));
    fail();
  }

  double closed(double value) {
    if (!take(')')) fail();
    return value;
  }

  double number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    const auto next = static_cast<std::size_t>(end - text_.c_str());
    if (next == at_) fail();
    at_ = next;
    return value;
  }

  std::string text_;
  std::map<std::string, double> names_;
  std::size_t at_ = 0;
};

inline double evaluate_text(const std::string& text) {
  std::map<std::string, double> names{{"pi", std::acos(-1.0)}};
  const std::size_t with = text.find(", with ");
  if (with == std::string::npos) return TextEvaluator(text, names).value();
  const std::size_t equals = text.find(" = ", with);
  const std::string name = text.substr(with + 7, equals - with - 7);
  names[name] = TextEvaluator(text.substr(equals + 3), names).value();
  return TextEvaluator(text.substr(0, with), names).value();
}

}  // namespace gannet::test
