# Installation and the exported CMake package.
