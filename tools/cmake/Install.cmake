# Installation and the exported CMake package: find_package(gannet CONFIG) gives gannet::query and the others.
include(CMakePackageConfigHelpers)

set(GANNET_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gannet)
get_property(gannet_libraries GLOBAL PROPERTY GANNET_LIBRARIES)

install(TARGETS ${gannet_libraries} EXPORT gannet-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gannet_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCE=${PROJECT_SOURCE_DIR}\"
  \"-DDESTINATION=${PROJECT_BINARY_DIR}/include\" \"-DFOLDERS=codecs;index;corpora;query\"
  -P \"${CMAKE_CURRENT_LIST_DIR}/Headers.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/gannet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT gannet-targets NAMESPACE gannet:: DESTINATION ${GANNET_CMAKE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gannet-config.cmake.in
  ${PROJECT_BINARY_DIR}/gannet-config.cmake INSTALL_DESTINATION ${GANNET_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gannet-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gannet-config.cmake ${PROJECT_BINARY_DIR}/gannet-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindStemmer.cmake ${CMAKE_CURRENT_LIST_DIR}/FindGumbo.cmake
  DESTINATION ${GANNET_CMAKE_DIR})
