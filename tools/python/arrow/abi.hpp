// The C data interface of Apache Arrow (arrow.apache.org/docs/format/CDataInterface.html): structs
// by which libraries of one process share tables without knowing each other. The names, the order
// and the types of members are fixed by that document.
#pragma once

#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming)
struct ArrowSchema {
  const char* format;  ///< the type, as in "u" (text) or "l" (64-bit integers)
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);  ///< null: released, or moved
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;  ///< -1: not known
  std::int64_t offset;      ///< of the first value in the buffers
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;  ///< the first: a bit a value, whether it is there; may be null
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);  ///< 0, or an errno
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);     ///< at the end: out->release is null
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
// NOLINTEND(readability-identifier-naming)

namespace gannet::python {

inline constexpr std::int64_t kArrowNullable = 2;  ///< a flag of ArrowSchema
/// How the stream is called in Python's capsule.
inline constexpr const char* kArrowStreamName = "arrow_array_stream";

/// One of the structs, released at the end.
template <class T>
class Released {
 public:
  Released() = default;
  ~Released() { reset(); }
  Released(Released&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  Released& operator=(Released&& other) noexcept {
    reset();
    value_ = other.value_;
    other.value_.release = nullptr;
    return *this;
  }
  /// Takes what it holds over.
  explicit Released(T* taken) : value_(*taken) { taken->release = nullptr; }

  T* get() { return &value_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }
  bool empty() const { return value_.release == nullptr; }

 private:
  void reset() {
    if (value_.release != nullptr) value_.release(&value_);
    value_.release = nullptr;
  }
  T value_{};
};

}  // namespace gannet::python
