// What the bindings share: nanobind, its conversions, and work that may be interrupted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"

namespace gannet::python {

namespace nb = nanobind;

// Read-only NumPy arrays of one dimension, contiguous, in host memory.
using Docids = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// How often a thread that waits for work looks whether Ctrl-C was pressed.
inline constexpr std::chrono::milliseconds kSignalPeriod{50};

/// Runs `work(stop token)` on a thread of its own, without the interpreter lock, and gives what it
/// gives. Meanwhile the calling thread, which holds the lock when it calls, lets signal handlers of
/// Python run; if one raises (Ctrl-C), the work is asked to stop, and the exception is thrown once
/// it has. `meanwhile`, if there is one, is called with the lock in each round, and again at once
/// if it says so.
template <class Work>
auto interruptible(Work work, const std::function<bool()>& meanwhile = {}) {
  std::stop_source stop;
  std::future<std::invoke_result_t<Work, std::stop_token>> done =
      std::async(std::launch::async, std::move(work), stop.get_token());
  for (bool busy = static_cast<bool>(meanwhile);;) {
    std::future_status status;
    {
      const nb::gil_scoped_release unlocked;
      status = done.wait_for(busy ? std::chrono::milliseconds(0) : kSignalPeriod);
    }
    if (status == std::future_status::ready) break;
    try {
      if (meanwhile) busy = meanwhile();
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (...) {
      stop.request_stop();
      const nb::gil_scoped_release unlocked;
      done.wait();
      throw;
    }
  }
  return done.get();
}

/// An array for NumPy over memory that `owner` keeps, without a copy.
template <class T, class Owner>
nb::any array_of(const T* data, std::size_t size, const std::shared_ptr<Owner>& owner) {
  nb::capsule capsule(new std::shared_ptr<Owner>(owner), [](void* kept) noexcept {
    delete static_cast<std::shared_ptr<Owner>*>(kept);
  });
  using Array = nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig>;
  return nb::borrow<nb::any>(nb::cast(Array(data, {size}, capsule)));
}

/// An array of a vector's elements, which it takes over.
template <class T, class Allocator>
nb::any array_of(std::vector<T, Allocator> values) {
  const auto owner = std::make_shared<const std::vector<T, Allocator>>(std::move(values));
  return array_of(owner->data(), owner->size(), owner);
}

/// Text that may hold bytes that are no UTF-8, each of which becomes U+FFFD.
inline nb::object text_of(std::string_view text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

void bind_arrays(nb::module_& module);
void bind_arrow(nb::module_& module);
void bind_arrow_source(nb::module_& module);
void bind_changes(nb::module_& module);
void bind_upkeep(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_errors(nb::module_& module);
void bind_build(nb::module_& module);
void bind_index(nb::module_& module);
void bind_search(nb::module_& module);
void bind_explanation(nb::module_& module);
void bind_did_you_mean(nb::module_& module);
void bind_options(nb::module_& module);
void bind_writer(nb::module_& module);
void bind_codecs(nb::module_& module);
void bind_measure(nb::module_& module);
void bind_device_memory(nb::module_& module);
void bind_device_columns(nb::module_& module);
void bind_shard_set(nb::module_& module);
void bind_shard_search(nb::module_& module);

}  // namespace gannet::python
