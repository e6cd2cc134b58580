# Installation and the exported CMake package: find_package(gannet CONFIG) gives gannet::query and the others.
include(CMakePackageConfigHelpers)

set(GANNET_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gannet)
get_property(gannet_libraries GLOBAL PROPERTY GANNET_LIBRARIES)

install(TARGETS ${gannet_libraries} EXPORT gannet-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gannet_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(folder codecs index corpora query)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gannet
    FILES_MATCHING PATTERN "*.hpp")
endforeach()

install(EXPORT gannet-targets NAMESPACE gannet:: DESTINATION ${GANNET_CMAKE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gannet-config.cmake.in
  ${PROJECT_BINARY_DIR}/gannet-config.cmake INSTALL_DESTINATION ${GANNET_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gannet-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gannet-config.cmake ${PROJECT_BINARY_DIR}/gannet-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindStemmer.cmake ${CMAKE_CURRENT_LIST_DIR}/FindGumbo.cmake
  DESTINATION ${GANNET_CMAKE_DIR})
