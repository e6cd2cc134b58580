// The one way of evaluating Boolean expressions of plans, on both processors.
//
// A bit is a document. The host evaluates 64 documents at once, with a stack of words; a lane of
// the GPU has one document, whose stack of single bits fits one register.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/base/host_device.hpp"
#include "query/plan/node.hpp"

namespace gannet::query {

/// A stack of words: bit i of all of them belongs to the same document.
template <class Word>
class WordStack {
 public:
  GANNET_HD void push(Word word) { words_[size_++] = word; }
  GANNET_HD void all() {
    --size_;
    words_[size_ - 1] &= words_[size_];
  }
  GANNET_HD void any() {
    --size_;
    words_[size_ - 1] |= words_[size_];
  }
  GANNET_HD void negate() { words_[size_ - 1] = ~words_[size_ - 1]; }
  GANNET_HD Word top() const { return size_ == 0 ? 0 : words_[size_ - 1]; }

 private:
  Word words_[kMaxStack];
  std::uint32_t size_ = 0;
};

/// A stack for a single document, its top in the lowest bit.
class BitStack {
 public:
  GANNET_HD void push(std::uint32_t bit) { bits_ = bits_ << 1 | bit; }
  GANNET_HD void all() { bits_ = bits_ >> 1 & (bits_ | ~1u); }
  GANNET_HD void any() { bits_ = bits_ >> 1 | (bits_ & 1); }
  GANNET_HD void negate() { bits_ ^= 1; }
  GANNET_HD std::uint32_t top() const { return bits_ & 1; }

 private:
  static_assert(kMaxStack <= 32);
  std::uint32_t bits_ = 0;
};

/// Of those who run no plans with predicates.
struct NoPredicates {
  GANNET_HD std::uint32_t operator()(std::uint32_t) const { return 0; }
};

/// What `stack`, empty before, has on top after the expression: an empty one matches nothing.
/// `load(term)` gives what is pushed for a term, `predicate(number)` for a predicate. The nodes are
/// those of Plan::expression().
template <class Stack, class Load, class Predicate = NoPredicates>
GANNET_HD auto evaluate(const Node* nodes, std::uint32_t count, Stack stack, Load load,
                        Predicate predicate = {}) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const Node node = nodes[i];
    switch (node.kind) {
      case Node::Kind::kTerm:
        stack.push(load(node.operand));
        break;
      case Node::Kind::kNever:
        stack.push(0);
        break;
      case Node::Kind::kPredicate:
        stack.push(predicate(node.operand));
        break;
      case Node::Kind::kAnd:
        stack.all();
        break;
      case Node::Kind::kOr:
        stack.any();
        break;
      case Node::Kind::kNot:
        stack.negate();
        break;
    }
  }
  return stack.top();
}

/// What an expression can be where not all is known, as two bits: 1, it can be true; 2, it cannot
/// be false.
class PossibleStack {
 public:
  static constexpr std::uint32_t kFalse = 0, kEither = 1, kTrue = 3;

  void push(std::uint32_t bits) { bits_[size_++] = bits; }
  void all() {
    --size_;
    bits_[size_ - 1] &= bits_[size_];
  }
  void any() {
    --size_;
    bits_[size_ - 1] |= bits_[size_];
  }
  void negate() {
    const std::uint32_t bits = ~bits_[size_ - 1];
    bits_[size_ - 1] = (bits >> 1 & 1) | (bits << 1 & 2);
  }
  std::uint32_t top() const { return size_ == 0 ? kFalse : bits_[size_ - 1]; }

 private:
  std::uint32_t bits_[kMaxStack] = {};
  std::uint32_t size_ = 0;
};

/// Whether a document can match of which `load(term)` says what its terms are (PossibleStack), and
/// nothing is known of its fields.
template <class Load>
bool can_hold(const std::vector<Node>& expression, Load load) {
  return (evaluate(expression.data(), static_cast<std::uint32_t>(expression.size()),
                   PossibleStack{}, load, [](std::uint32_t) { return PossibleStack::kEither; }) &
          1) != 0;
}

/// Whether a document matches that has just those terms for which `has(term)` is true, and passes
/// no predicate.
template <class Has>
bool holds(const std::vector<Node>& expression, Has has) {
  const auto load = [&](std::uint32_t term) { return has(term) ? 1u : 0u; };
  return evaluate(expression.data(), static_cast<std::uint32_t>(expression.size()), BitStack{},
                  load) != 0;
}

}  // namespace gannet::query
