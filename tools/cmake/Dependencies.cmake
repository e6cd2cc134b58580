# What the libraries link, and what the command needs beyond that.
include(${CMAKE_CURRENT_LIST_DIR}/Packages.cmake)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

foreach(component ${gannet_components})
  foreach(package ${gannet_${component}_packages})
    gannet_find_package(${package})
    if(NOT ${package}_FOUND)
      message(FATAL_ERROR "gannet::${component} needs ${package}, which was not found; tools/setup.sh installs it")
    endif()
  endforeach()
endforeach()
find_package(nlohmann_json 3.10 REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
