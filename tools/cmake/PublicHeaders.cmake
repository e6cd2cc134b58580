# The folders whose headers users of the library include. A folder is public as a whole or not at all: a header that users must not
# need lies in another folder, often in one below. Headers.cmake installs the public headers and what they include; that second part
# belongs to nobody's program.
set(GANNET_PUBLIC_FOLDERS
  codecs codecs/base codecs/base/cuda codecs/core codecs/device
  index index/columns index/fields index/segment index/split index/text index/updates
  corpora/documents corpora/evaluation corpora/lists corpora/synthetic corpora/topics
  query query/columns query/options query/plan query/results query/scoring query/snippets)

# gannet_public_headers(<variable> <root of the tree>): the headers of the public folders, as paths from the root.
function(gannet_public_headers result root)
  set(headers)
  foreach(folder ${GANNET_PUBLIC_FOLDERS})
    file(GLOB found RELATIVE ${root} ${root}/${folder}/*.hpp ${root}/${folder}/*.cuh)
    if(NOT found)
      message(FATAL_ERROR "tools/cmake/PublicHeaders.cmake: ${folder} has no headers")
    endif()
    list(APPEND headers ${found})
  endforeach()
  set(${result} ${headers} PARENT_SCOPE)
endfunction()
