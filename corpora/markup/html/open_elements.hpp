// The elements around a place in a page that decide what is seen of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gannet::corpora {

/// Templates, drawings and formulas, which are what matters: no other element hides text or changes
/// how markup is read, so they are not kept. Of a drawing its texts are seen; the markup of HTML,
/// where it turns up in one or in a formula, ends it. By the HTML standard,
/// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign, but that unknown
/// elements between them are not known of. Time and memory do not depend on the depth: more than
/// 512 changes between kinds of elements are as if the inner ones stood side by side.
class OpenElements {
 public:
  /// Whether text is hidden here.
  bool hides() const { return !open_.empty() && open_.back().hides; }
  /// Whether this is markup of a drawing or a formula, in which HTML's own elements mean nothing.
  bool is_foreign() const;

  /// Whether `<![CDATA[` begins text here: in a drawing or a formula, and in HTML in one, where it
  /// may be that it does not.
  bool allows_character_data() const;

  /// The start tag of an element of HTML ends drawings and formulas. `name` in small letters;
  /// `font_style`: the tag has an attribute that only HTML's <font> has.
  void break_out(std::string_view name, bool font_style) {
    if (is_foreign() && breaks_out(name, font_style)) leave_foreign();
  }
  /// An element begins.
  void start(std::string_view name, bool self_closing);
  /// An end tag is met.
  void end(std::string_view name);

 private:
  enum class Kind : std::uint8_t {
    kNone,
    kTemplate,
    kSvg,
    kMath,
    kText,           ///< of a drawing
    kForeignObject,  ///< HTML in a drawing
    kDescription,    ///< HTML in a drawing, not shown
    kTitle,          ///< HTML in a drawing, not shown
    kMathText,       ///< HTML in a formula: one of five elements
  };
  struct Open {
    Kind kind;
    bool hides;
    bool hidden_around;    ///< the drawing, if this is in one
    std::uint32_t number;  ///< of elements of the kind side by side on the stack
  };

  static bool breaks_out(std::string_view name, bool font_style);
  static Kind kind_of(std::string_view name);
  bool hidden_around() const { return !open_.empty() && open_.back().hidden_around; }
  void push(Kind kind, bool hides, bool hidden_around);
  void pop();
  void start_foreign(Kind kind);
  void leave_foreign();

  std::vector<Open> open_;
};

}  // namespace gannet::corpora
