# How Gannet's targets are compiled, and the function that declares its libraries.
add_library(gannet_options INTERFACE)
target_include_directories(gannet_options INTERFACE ${GANNET_INCLUDE_ROOT})
# -Wrestrict: g++ 12 warns of std::string's own code (GCC bugs 105329 and 105651).
target_compile_options(gannet_options INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off -fno-math-errno>
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false --expt-relaxed-constexpr --extended-lambda -Xcompiler=-Wall,-Wextra,-Wno-restrict,-ffp-contract=off $<$<BOOL:${GANNET_LINEINFO}>:-lineinfo>>)
if(GANNET_WERROR)
  target_compile_options(gannet_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
if(GANNET_MARCH)
  target_compile_options(gannet_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-march=${GANNET_MARCH}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${GANNET_MARCH}>)
endif()
if(GANNET_SANITIZE STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(GANNET_SANITIZE STREQUAL "thread")
  # libtbb is not instrumented, so that its synchronisation would not be seen: tests/support/tsan has its interface
  # on standard threads.
  set(sanitizers -fsanitize=thread -fno-omit-frame-pointer)
  target_include_directories(gannet_options BEFORE INTERFACE ${PROJECT_SOURCE_DIR}/tests/support/tsan)
elseif(GANNET_SANITIZE)
  message(FATAL_ERROR "GANNET_SANITIZE=${GANNET_SANITIZE}: it is OFF, address or thread")
endif()
if(GANNET_FUZZ)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # What libFuzzer is guided by. It is a quarter of the compiler's time and slows tests, so that a quick build has it in the fuzz
  # targets alone (bench/fuzz): their kept inputs are tried there, hardly new ones.
  # A quick build also leaves out what the address sanitizer finds itself (null pointers), and lines in stack traces.
  if(GANNET_QUICK)
    list(APPEND sanitizers -fno-sanitize=null,vptr,object-size -g0)
  else()
    list(APPEND sanitizers -fsanitize=fuzzer-no-link)
  endif()
endif()
if(sanitizers)
  # Reads behind the end of a vector are errors, too, where memory is there: the sanitizers do not see them.
  target_compile_definitions(gannet_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>")
  # Not targets with the property GANNET_PLAIN. They are linked with them all the same, as the libraries are.
  set(sanitized "$<NOT:$<BOOL:$<TARGET_PROPERTY:GANNET_PLAIN>>>")
  target_compile_options(gannet_options INTERFACE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,${sanitized}>:${sanitizers}>")
  target_link_options(gannet_options INTERFACE ${sanitizers})
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
# named device/ or cuda/; without CUDA the no_cuda.cpp there stands in for it.
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
    list(FILTER chosen EXCLUDE REGEX "/(device|cuda)/")
    list(APPEND chosen ${stand_ins})
  endif()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# The headers as users spell them, <gannet/codecs/base/error.hpp>, for projects that add this one as a folder; installed headers are
# made in the same way.
set(GANNET_USER_HEADERS ${PROJECT_BINARY_DIR}/include)
file(GLOB_RECURSE gannet_headers CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/codecs/*.hpp ${PROJECT_SOURCE_DIR}/codecs/*.cuh ${PROJECT_SOURCE_DIR}/index/*.hpp
  ${PROJECT_SOURCE_DIR}/corpora/*.hpp ${PROJECT_SOURCE_DIR}/query/*.hpp)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/headers.stamp
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DDESTINATION=${GANNET_USER_HEADERS}
    -P ${CMAKE_CURRENT_LIST_DIR}/Headers.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/headers.stamp
  DEPENDS ${gannet_headers} ${CMAKE_CURRENT_LIST_DIR}/Headers.cmake ${CMAKE_CURRENT_LIST_DIR}/PublicHeaders.cmake)
add_custom_target(gannet_headers DEPENDS ${PROJECT_BINARY_DIR}/headers.stamp)

# gannet_precompile(<target> <header>): reading headers takes longer than compiling most files, so a target reads these once.
# ccache keeps objects made with precompiled headers only if it is told that their times and macros do not matter.
function(gannet_precompile name header)
  target_precompile_headers(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${header}>)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  else()
    # GCC 12 warns of its own strings once they come from a precompiled header.
    target_compile_options(${name} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
  if(GANNET_CCACHE)
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${GANNET_CCACHE}")
  endif()
endfunction()

# gannet_unity(<target>): with GANNET_UNITY, compiles several sources as one: headers are read once for all of them, and templates
# compiled once. Names in anonymous namespaces then have to differ within a target. Files with compile options of their own stay
# apart, and so do kernels of vector instructions, which have one name for each instruction set.
function(gannet_unity name)
  if(GANNET_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${GANNET_UNITY_BATCH})
    # g++ takes the sources of such a unit for headers, whose types should not have members of anonymous namespaces.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources INCLUDE REGEX "kernels_avx[0-9]+\\.cpp$|\\.cu$")
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# gannet_library(<folder> SOURCES ... PUBLIC ... PRIVATE ...): the library gannet::<folder>, static or (BUILD_SHARED_LIBS) shared.
function(gannet_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(gannet_${name} ${ARG_SOURCES})
  add_library(gannet::${name} ALIAS gannet_${name})
  set_target_properties(gannet_${name} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(gannet_${name} PUBLIC cxx_std_20)
  target_include_directories(gannet_${name} PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(NOT PROJECT_IS_TOP_LEVEL)
    target_include_directories(gannet_${name} PUBLIC $<BUILD_INTERFACE:${GANNET_USER_HEADERS}>)
    add_dependencies(gannet_${name} gannet_headers)
  endif()
  if(BUILD_SHARED_LIBS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(gannet_${name} PRIVATE -Wl,--version-script=${GANNET_EXPORTS})
    set_target_properties(gannet_${name} PROPERTIES LINK_DEPENDS ${GANNET_EXPORTS})
  endif()
  target_link_libraries(gannet_${name} PUBLIC ${ARG_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:gannet_options> ${ARG_PRIVATE})
  if(GANNET_PRECOMPILE)
    gannet_precompile(gannet_${name} ${GANNET_PRECOMPILED_HEADER})
  endif()
  gannet_unity(gannet_${name})
endfunction()
set(GANNET_PRECOMPILED_HEADER ${CMAKE_CURRENT_LIST_DIR}/precompiled.hpp)
set(GANNET_EXPORTS ${CMAKE_CURRENT_LIST_DIR}/exports.map)
include(GNUInstallDirs)
if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_RPATH)
  file(RELATIVE_PATH gannet_from_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/${gannet_from_bin_to_lib})
endif()

# gannet_check_only(<name> SOURCES ... LIBRARIES ...): compiles a program for a GPU far enough to find its errors, and links nothing.
# Device code becomes PTX, which takes a quarter of the time; the front end reads the host code beside it.
function(gannet_check_only name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  set(kernels ${ARG_SOURCES})
  list(FILTER kernels INCLUDE REGEX "\\.cu$")
  list(FILTER ARG_SOURCES EXCLUDE REGEX "\\.cu$")
  if(kernels)
    add_library(${name}_kernels OBJECT ${kernels})
    set_target_properties(${name}_kernels PROPERTIES CUDA_PTX_COMPILATION ON)
    target_link_libraries(${name}_kernels PRIVATE gannet_options ${ARG_LIBRARIES})
  endif()
  if(ARG_SOURCES)
    add_library(${name} OBJECT ${ARG_SOURCES})
    target_compile_options(${name} PRIVATE -O0)
    target_link_libraries(${name} PRIVATE gannet_options ${ARG_LIBRARIES})
    gannet_unity(${name})
  endif()
endfunction()
