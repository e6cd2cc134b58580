# One test of the package, as a user of it: cmake -DCASE=<name> -D... -P package_test.cmake. tests/package/CMakeLists.txt lists them.
cmake_minimum_required(VERSION 3.25)

set(PREFIX ${SCRATCH}/prefix)
set(LIBRARIES_OF_OTHERS Boost fmt TBB simdjson nlohmann_json Stemmer LibXml2 ICU PkgConfig Threads)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# run_for(<variable> COMMAND...): what the command prints, both streams. It must succeed.
function(run_for output)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${text}\nexit code ${result}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect text regex)
  if(NOT text MATCHES "${regex}")
    message(FATAL_ERROR "expected ${regex} in:\n${text}")
  endif()
endfunction()

function(configure source name)
  run(${CMAKE_COMMAND} -S ${source} -B ${SCRATCH}/${name} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${PREFIX}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=Release --fresh ${ARGN})
endfunction()

function(build source name)
  configure(${source} ${name} ${ARGN})
  run(${CMAKE_COMMAND} --build ${SCRATCH}/${name})
endfunction()

# Every include of an installed header is an installed header, of the standard library, or of CUDA's where it says so.
function(check_includes)
  file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include ${PREFIX}/include/*)
  list(LENGTH headers count)
  if(count LESS 50)
    message(FATAL_ERROR "only ${count} headers are installed")
  endif()
  foreach(header ${headers})
    file(STRINGS ${PREFIX}/include/${header} lines REGEX "^ *#include")
    foreach(line ${lines})
      if(line MATCHES "\"([^\"]*)\"")
        if(NOT EXISTS ${PREFIX}/include/${CMAKE_MATCH_1} OR NOT CMAKE_MATCH_1 MATCHES "^gannet/")
          message(SEND_ERROR "${header}: ${line}: not installed")
        endif()
      elseif(NOT line MATCHES "<[a-z_]+>" AND NOT line MATCHES "<(cuda[a-z_]*|cub|nv)[a-z_/.]*>")
        message(SEND_ERROR "${header}: ${line}: neither of the C++ standard nor CUDA's")
      endif()
    endforeach()
  endforeach()
endfunction()

# All of them together compile with the installed ones in sight and nothing else of Gannet's.
function(compile_headers)
  file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include ${PREFIX}/include/*.hpp)
  if(NOT CUDA)
    list(FILTER headers EXCLUDE REGEX "/device/")  # some want the CUDA toolkit's headers
  endif()
  set(text "")
  foreach(header ${headers})
    string(APPEND text "#include <${header}>\n")
  endforeach()
  file(WRITE ${SCRATCH}/all_headers.cpp "${text}")
  set(toolkit)
  foreach(folder ${CUDA_INCLUDES})
    list(APPEND toolkit -isystem ${folder})
  endforeach()
  run(${CXX} -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I${PREFIX}/include ${toolkit} ${SCRATCH}/all_headers.cpp)
endfunction()

if(CASE STREQUAL "install")
  file(REMOVE_RECURSE ${SCRATCH})
  run(${CMAKE_COMMAND} --install ${GANNET_BUILD} --prefix ${PREFIX})
  run(${PREFIX}/bin/gannet --version)

elseif(CASE STREQUAL "headers")
  check_includes()
  compile_headers()

elseif(CASE STREQUAL "query")
  build(${CMAKE_CURRENT_LIST_DIR}/query query)
  run_for(output ${SCRATCH}/query/query_user ${SCRATCH}/query/index)
  expect("${output}" "1 d1 0\\.[0-9]+")

elseif(CASE STREQUAL "codecs_alone")
  list(REMOVE_ITEM LIBRARIES_OF_OTHERS Threads)  # the system's, and what CMake's CUDAToolkit asks for
  foreach(package ${LIBRARIES_OF_OTHERS})
    list(APPEND disabled -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
  endforeach()
  build(${CMAKE_CURRENT_LIST_DIR}/codecs codecs ${disabled})
  run_for(output ${SCRATCH}/codecs/codecs_user)
  expect("${output}" "^[0-9]+\\.[0-9]+\\.[0-9]+ [0-9]\\.")

elseif(CASE STREQUAL "missing")
  set(try ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/missing -B ${SCRATCH}/missing --fresh -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${PREFIX} -DCMAKE_CXX_COMPILER=${CXX})
  run_for(output ${try} -DCOMPONENTS=codecs,query)
  expect("${output}" "result: gannet 1.*result: codecs TRUE.*result: query TRUE")
  run_for(output ${try} -DCOMPONENTS=nonsense)
  expect("${output}" "gannet has no component 'nonsense'")
  expect("${output}" "result: gannet (0|FALSE)")
  run_for(output ${try} -DCOMPONENTS=query -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
  expect("${output}" "gannet::index needs TBB, which was not")
  expect("${output}" "result: gannet (0|FALSE)")
  run_for(output ${try} -DCOMPONENTS=codecs -DOPTIONAL=query -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
  expect("${output}" "result: gannet 1.*result: codecs TRUE.*result: query FALSE")

elseif(CASE STREQUAL "examples")
  set(options -DGANNET_EXAMPLES_CUDA=${CUDA})
  if(CUDA)
    list(APPEND options -DCMAKE_CUDA_COMPILER=${NVCC} -DCMAKE_CUDA_ARCHITECTURES=${CUDA_ARCHITECTURE})
  endif()
  build(${CMAKE_CURRENT_LIST_DIR}/../../tools/examples examples ${options})
  file(WRITE ${SCRATCH}/documents.tsv "a\tsolar power\nb\tnuclear power\n")
  run(${PREFIX}/bin/gannet index --input ${SCRATCH}/documents.tsv --format tsv --output ${SCRATCH}/index --overwrite)
  run_for(output ${SCRATCH}/examples/search ${SCRATCH}/index "power -nuclear")
  expect("${output}" "^a 0\\.[0-9]+\n$")
  # Those with kernels check what they compute, and say so where there is no GPU.
  file(GLOB programs ${CMAKE_CURRENT_LIST_DIR}/../../tools/examples/*.cu)
  foreach(program ${programs})
    get_filename_component(name ${program} NAME_WE)
    if(CUDA)
      run(${SCRATCH}/examples/${name})
    endif()
  endforeach()

elseif(CASE STREQUAL "kernels")
  # Headers for kernels are compiled by nvcc alone, with the installed ones in sight.
  build(${CMAKE_CURRENT_LIST_DIR}/kernels kernels -DCMAKE_CUDA_COMPILER=${NVCC}
    -DCMAKE_CUDA_ARCHITECTURES=${CUDA_ARCHITECTURE})

elseif(CASE STREQUAL "folder")
  build(${CMAKE_CURRENT_LIST_DIR}/folder folder -DGANNET=${CMAKE_CURRENT_LIST_DIR}/../.. -DGANNET_CUDA=OFF)

elseif(CASE STREQUAL "shared")
  # Of the codecs alone, and not optimised: what is tested is how they are linked.
  set(tree ${SCRATCH}/shared_build)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/../.. -B ${tree} -G ${GENERATOR} -DBUILD_SHARED_LIBS=ON -DGANNET_CUDA=OFF
    -DGANNET_BUILD_TESTS=OFF -DGANNET_BUILD_BENCHMARKS=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CXX_FLAGS_DEBUG=-O0)
  run(${CMAKE_COMMAND} --build ${tree} --target gannet_codecs)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../../codecs/version.hpp version REGEX "define GANNET_VERSION_STRING")
  string(REGEX MATCH "[0-9]+\\.[0-9]+" soversion "${version}")
  set(library ${tree}/codecs/libgannet_codecs.so.${soversion})
  run_for(symbols nm -DC --defined-only ${library})
  expect("${symbols}" "gannet::codecs::codec_named")
  string(REGEX REPLACE "[^\n]* [A-Za-z] [^\n]*gannet[^\n]*\n" "" others "${symbols}")
  if(NOT others STREQUAL "")
    message(FATAL_ERROR "libgannet_codecs.so shows more than its own:\n${others}")
  endif()
  run(${CXX} -std=c++20 -I${PREFIX}/include ${CMAKE_CURRENT_LIST_DIR}/codecs/main.cpp -o ${SCRATCH}/shared_user
    ${library} -Wl,-rpath,${tree}/codecs)
  run_for(output ${SCRATCH}/shared_user)
  expect("${output}" "^[0-9]+\\.[0-9]+\\.[0-9]+ [0-9]\\.")

else()
  message(FATAL_ERROR "there is no package test '${CASE}'")
endif()
