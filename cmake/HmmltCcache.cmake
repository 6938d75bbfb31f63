# Compile through ccache where there is one. What it must know here goes with each command, so that nobody's own settings
# change: that precompiled headers are in use, and that two clones may share what they compile.
if(HMMLT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  if(HMMLT_CCACHE_PROGRAM AND NOT EXISTS "${HMMLT_CCACHE_PROGRAM}")
    unset(HMMLT_CCACHE_PROGRAM CACHE) # there was one when the build was first configured
  endif()
  find_program(HMMLT_CCACHE_PROGRAM ccache)
  mark_as_advanced(HMMLT_CCACHE_PROGRAM)
  if(HMMLT_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
        CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 "${HMMLT_CCACHE_PROGRAM}")
  endif()
endif()
