# Which packages each library links, for the build and for users of the installed package alike. All of them install from
# Debian and Ubuntu packages: tools/setup.sh lists those. Names that begin with lib are pkg-config's.
set(gannet_components codecs index corpora query)
set(gannet_codecs_packages ZLIB)
set(gannet_index_packages Threads fmt TBB simdjson Stemmer libzstd libxxhash libutf8proc ICU)
set(gannet_corpora_packages fmt ZLIB BZip2 simdjson ICU LibXml2 libzstd Protobuf)
set(gannet_query_packages Threads fmt TBB ICU)

# The libraries below each, itself included, the lowest first.
set(gannet_codecs_closure codecs)
set(gannet_index_closure codecs index)
set(gannet_corpora_closure codecs index corpora)
set(gannet_query_closure codecs index query)

# gannet_find_package(<name>): as find_package(<name> QUIET); <name>_FOUND says whether it is there. A macro: the build wants the
# packages' variables, too.
macro(gannet_find_package package)
  if(${package} MATCHES "^lib")
    string(REGEX REPLACE "^lib" "" gannet_module ${package})
    find_package(PkgConfig QUIET)
    set(${package}_FOUND FALSE)
    if(PkgConfig_FOUND)
      pkg_check_modules(${gannet_module} QUIET IMPORTED_TARGET ${package})
      set(${package}_FOUND ${${gannet_module}_FOUND})
    endif()
  elseif(${package} STREQUAL "CUDAToolkit")
    # CMake 3.25 calls a target deprecated, where 3.25 is asked for, that CUDA 13 no longer has.
    set(gannet_minimum ${CMAKE_MINIMUM_REQUIRED_VERSION})
    set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
    find_package(CUDAToolkit QUIET)
    set(CMAKE_MINIMUM_REQUIRED_VERSION ${gannet_minimum})
  elseif(${package} STREQUAL "ICU")
    find_package(ICU QUIET COMPONENTS uc)
  else()
    find_package(${package} QUIET)
  endif()
endmacro()
