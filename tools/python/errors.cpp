// The library's errors as Python exceptions: the same names below gannet.Error, the same messages.
#include <array>
#include <new>
#include <regex>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "codecs/base/deadline.hpp"
#include "codecs/base/exists.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {
namespace {

/// The exception types, in the order of Number. They live as long as the process.
enum Number {
  kError,
  kUsage,
  kExists,
  kIo,
  kFormat,
  kDamage,
  kVersion,
  kInput,
  kCancelled,
  kDeadline,
  kCuda,
  kNoDevice,
  kMemory,
  kNumbers
};
std::array<PyObject*, kNumbers> types{};

void add_type(nb::module_& module, Number number, const char* name, const char* doc,
              std::initializer_list<PyObject*> bases) {
  nb::list all;
  for (PyObject* const base : bases) all.append(nb::handle(base));
  const std::string full = nb::cast<std::string>(module.attr("__name__")) + "." + name;
  PyObject* const made =
      PyErr_NewExceptionWithDoc(full.c_str(), doc, nb::tuple(all).ptr(), nullptr);
  if (made == nullptr) throw nb::python_error();
  types[number] = made;
  module.attr(name) = nb::borrow(made);
}

/// The command's options in the library's messages, as Python spells them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOptions{{
    {"--encoding windows-1252", "encoding='windows-1252'"},
    {"--encoding", "encoding"},
    {"--on-error skip", "on_error='skip'"},
    {"--field or --schema", "schema"},
    {"--overwrite", "overwrite=True"},
    {"--fields", "fields="},
    {"--id-field", "id_field"},
    {"--columns", "columns"},
    {"--header", "header=True"},
    {"--memory", "memory"},
    {"--facet", "facets"},
    {"--rows", "rows"},
}};

std::string in_python(std::string message) {
  static const std::regex id_field("--id-field '?([^ ']+)'? (takes|the first)");
  message = std::regex_replace(message, id_field, "id_field='$1' $2");
  for (const auto& [option, keyword] : kOptions) {
    for (std::size_t at = 0; (at = message.find(option, at)) != std::string::npos;) {
      message.replace(at, option.size(), keyword);
      at += keyword.size();
    }
  }
  return message;
}

void translate(const std::exception_ptr& error, void* /*unused*/) {
  const auto raise = [](Number number, const std::exception& thrown) {
    PyErr_SetObject(types[number], text_of(in_python(thrown.what())).ptr());
  };
  try {
    std::rethrow_exception(error);
  } catch (const ExistsError& thrown) {
    raise(kExists, thrown);
  } catch (const UsageError& thrown) {
    raise(kUsage, thrown);
  } catch (const IoError& thrown) {
    raise(kIo, thrown);
  } catch (const VersionError& thrown) {
    raise(kVersion, thrown);
  } catch (const DamageError& thrown) {
    raise(kDamage, thrown);
  } catch (const FormatError& thrown) {
    raise(kFormat, thrown);
  } catch (const InputError& thrown) {
    raise(kInput, thrown);
  } catch (const DeadlineError& thrown) {
    raise(kDeadline, thrown);
  } catch (const CancelledError& thrown) {
    raise(kCancelled, thrown);
  } catch (const NoDeviceError& thrown) {
    raise(kNoDevice, thrown);
  } catch (const DeviceMemoryError& thrown) {
    raise(kMemory, thrown);
  } catch (const CudaError& thrown) {
    raise(kCuda, thrown);
  } catch (const Error& thrown) {
    raise(kError, thrown);
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  add_type(module, kError, "Error", "Base of every error that Gannet raises.", {PyExc_Exception});
  PyObject* const base = types[kError];
  add_type(module, kUsage, "UsageError",
           "What was asked for makes no sense: an unknown codec, a malformed query.",
           {base, PyExc_ValueError});
  add_type(module, kExists, "ExistsError",
           "There is a file or an index where one was to be written, and not `overwrite`.",
           {types[kUsage], PyExc_FileExistsError});
  add_type(module, kIo, "IoError", "A file could not be opened, read, written or renamed.",
           {base, PyExc_OSError});
  add_type(module, kFormat, "FormatError", "A file's bytes are not what its format says.", {base});
  add_type(module, kDamage, "DamageError",
           "A file of an index is damaged: its bytes are not those that were written.",
           {types[kFormat]});
  add_type(module, kVersion, "VersionError", "A file was written by a newer version of Gannet.",
           {types[kFormat]});
  add_type(module, kInput, "InputError", "A document or record of the input is malformed.",
           {base, PyExc_ValueError});
  add_type(module, kCancelled, "CancelledError", "The operation was stopped before its end.",
           {base});
  add_type(module, kDeadline, "DeadlineError", "The time that `timeout` gives was over.",
           {types[kCancelled], PyExc_TimeoutError});
  add_type(module, kCuda, "CudaError", "A CUDA call failed.", {base});
  add_type(module, kNoDevice, "NoDeviceError",
           "There is no usable GPU, or this build has no CUDA code.", {types[kCuda]});
  add_type(module, kMemory, "DeviceMemoryError", "The GPU has not enough free memory.",
           {types[kCuda], PyExc_MemoryError});
  nb::register_exception_translator(translate, nullptr);
}

}  // namespace gannet::python
