# Sourced by the scripts beside it. Where packages cannot be installed, unpack those of tools/setup.sh and what they depend on
# into a folder (dpkg -x PACKAGE.deb FOLDER) and set GANNET_PREFIX to it: nothing is installed then, and builds and programs
# find them there. GANNET_PREFIX=/ takes what the system has, however it came there.
if [[ -n ${GANNET_PREFIX:-} ]]; then
  if [[ ! -d $GANNET_PREFIX/usr ]]; then
    echo "GANNET_PREFIX: there is no $GANNET_PREFIX/usr" >&2
    exit 2
  fi
  export GANNET_PREFIX
  if [[ $(realpath "$GANNET_PREFIX") != / ]]; then
    gannet_usr=$(realpath "$GANNET_PREFIX")/usr
    gannet_lib=$gannet_usr/lib/$(gcc -dumpmachine)
    export PATH=$gannet_usr/bin:$PATH
    export CMAKE_PREFIX_PATH=$gannet_usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
    export CPATH=$gannet_usr/include${CPATH:+:$CPATH}
    export LIBRARY_PATH=$gannet_lib:$gannet_usr/lib${LIBRARY_PATH:+:$LIBRARY_PATH}
    export LD_LIBRARY_PATH=$gannet_lib:$gannet_usr/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    # Their .pc files say /usr.
    export PKG_CONFIG_SYSROOT_DIR=${gannet_usr%/usr}
    export PKG_CONFIG_LIBDIR=$gannet_lib/pkgconfig:$gannet_usr/lib/pkgconfig:$gannet_usr/share/pkgconfig
    export WORDNET=$gannet_usr/share/wordnet
  fi
fi
