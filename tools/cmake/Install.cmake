# Installation, the exported CMake package and the files for pkg-config: find_package(gannet CONFIG) gives gannet::query and the
# others, each with a file of targets of its own, so that a component asks for its own dependencies only. `cmake --install` installs
# everything; --component takes a library's name, headers, or command.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/PkgConfigFiles.cmake)

set(GANNET_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gannet)

foreach(component ${gannet_components})
  install(TARGETS gannet_${component} EXPORT gannet-${component}-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  install(EXPORT gannet-${component}-targets NAMESPACE gannet:: DESTINATION ${GANNET_CMAKE_DIR} COMPONENT ${component})
  gannet_pc_file(${component} file)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endforeach()
install(TARGETS gannet_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
if(GANNET_HAS_MPI)
  install(TARGETS gannet_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
if(NOT CMAKE_CROSSCOMPILING)
  set(reference ${PROJECT_BINARY_DIR}/reference)
  install(DIRECTORY ${reference}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT command)
  install(DIRECTORY ${reference}/bash-completion ${reference}/zsh ${reference}/fish DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT command)
endif()
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCE=${PROJECT_SOURCE_DIR}\"
  \"-DDESTINATION=${PROJECT_BINARY_DIR}/include\" -P \"${CMAKE_CURRENT_LIST_DIR}/Headers.cmake\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT headers)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/gannet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gannet-config.cmake.in
  ${PROJECT_BINARY_DIR}/gannet-config.cmake INSTALL_DESTINATION ${GANNET_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gannet-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gannet-config.cmake ${PROJECT_BINARY_DIR}/gannet-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Packages.cmake ${CMAKE_CURRENT_LIST_DIR}/CudaStandard.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindStemmer.cmake
  DESTINATION ${GANNET_CMAKE_DIR} COMPONENT headers)

if(PROJECT_IS_TOP_LEVEL)
  include(${CMAKE_CURRENT_LIST_DIR}/Deb.cmake)
endif()
