// The extension module behind the package `gannet`: gannet/*.py give it its shape for users.
#include "codecs/base/version.hpp"
#include "tools/python/common.hpp"

NB_MODULE(_gannet, module) {
  module.doc() = "Bindings of the C++ library; use the package gannet.";
  module.attr("version") = GANNET_VERSION_STRING;
  gannet::python::bind_errors(module);
  gannet::python::bind_build(module);
  gannet::python::bind_options(module);
  gannet::python::bind_index(module);
  gannet::python::bind_search(module);
  gannet::python::bind_arrays(module);
  gannet::python::bind_evaluation(module);
  gannet::python::bind_explanation(module);
  gannet::python::bind_did_you_mean(module);
  gannet::python::bind_writer(module);
  gannet::python::bind_changes(module);
  gannet::python::bind_upkeep(module);
  gannet::python::bind_arrow(module);
  gannet::python::bind_arrow_source(module);
  gannet::python::bind_codecs(module);
  gannet::python::bind_measure(module);
  gannet::python::bind_device_memory(module);
  gannet::python::bind_device_columns(module);
  gannet::python::bind_shard_set(module);
  gannet::python::bind_shard_search(module);
}
