# Every dependency installs from Debian and Ubuntu packages: tools/setup.sh lists them.
# gannet-config.cmake.in finds the same ones for users of the installed package.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options iostreams)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Stemmer REQUIRED)
find_package(Gumbo REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
