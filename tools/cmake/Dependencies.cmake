# Every dependency installs from Debian and Ubuntu packages: tools/setup.sh lists them.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options iostreams)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)

# libstemmer has neither a CMake package nor a .pc file.
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
add_library(gannet_stemmer INTERFACE)
target_include_directories(gannet_stemmer SYSTEM INTERFACE $<BUILD_INTERFACE:${STEMMER_INCLUDE_DIR}>)
target_link_libraries(gannet_stemmer INTERFACE ${STEMMER_LIBRARY})

find_path(GUMBO_INCLUDE_DIR gumbo.h REQUIRED)
find_library(GUMBO_LIBRARY gumbo REQUIRED)
add_library(gannet_gumbo INTERFACE)
target_include_directories(gannet_gumbo SYSTEM INTERFACE $<BUILD_INTERFACE:${GUMBO_INCLUDE_DIR}>)
target_link_libraries(gannet_gumbo INTERFACE ${GUMBO_LIBRARY})
