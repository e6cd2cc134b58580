# How Gannet's targets are compiled, and the function that declares its libraries.
add_library(gannet_options INTERFACE)
# -Wrestrict: g++ 12 warns of std::string's own code (GCC bugs 105329 and 105651).
target_compile_options(gannet_options INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off -fno-math-errno>
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false --expt-relaxed-constexpr --extended-lambda -Xcompiler=-Wall,-Wextra,-Wno-restrict,-ffp-contract=off -lineinfo>)
if(GANNET_WERROR)
  target_compile_options(gannet_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
if(GANNET_MARCH)
  target_compile_options(gannet_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-march=${GANNET_MARCH}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${GANNET_MARCH}>)
endif()
if(GANNET_SANITIZE)
  target_compile_options(gannet_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  target_link_options(gannet_options INTERFACE -fsanitize=address,undefined)
endif()
if(GANNET_TIDY)
  find_program(GANNET_CLANG_TIDY NAMES clang-tidy clang-tidy-18 clang-tidy-14 REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${GANNET_CLANG_TIDY} --quiet)
endif()

find_program(GANNET_CCACHE ccache)
if(GANNET_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GANNET_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${GANNET_CCACHE})
endif()

# gannet_sources(<variable>): the sources of the current folder and those below it. What needs CUDA lies in folders
# named device/; without CUDA the no_cuda.cpp there stands in for it.
function(gannet_sources result)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp *.cu)
  gannet_select_sources(${result} ${GANNET_HAS_CUDA} ${sources})
  set(${result} ${${result}} PARENT_SCOPE)
endfunction()

# gannet_select_sources(<variable> <with cuda> <source>...): those of the sources that such a build compiles.
function(gannet_select_sources result with_cuda)
  set(chosen ${ARGN})
  if(with_cuda)
    list(FILTER chosen EXCLUDE REGEX "/no_cuda\\.cpp$")
  else()
    set(stand_ins ${chosen})
    list(FILTER stand_ins INCLUDE REGEX "/no_cuda\\.cpp$")
    list(FILTER chosen EXCLUDE REGEX "/device/")
    list(APPEND chosen ${stand_ins})
  endif()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# gannet_library(<folder> SOURCES ... PUBLIC ... PRIVATE ...): the library gannet::<folder>.
function(gannet_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(gannet_${name} STATIC ${ARG_SOURCES})
  add_library(gannet::${name} ALIAS gannet_${name})
  set_target_properties(gannet_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(gannet_${name} PUBLIC cxx_std_20)
  target_include_directories(gannet_${name} PUBLIC
    $<BUILD_INTERFACE:${GANNET_INCLUDE_ROOT}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(gannet_${name} PUBLIC ${ARG_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:gannet_options> ${ARG_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY GANNET_LIBRARIES gannet_${name})
endfunction()
include(GNUInstallDirs)
