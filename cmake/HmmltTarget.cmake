# One way to compile everything of ours: C++20, many warnings, the architecture of the preset.
function(hmmlt_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                           -Wnon-virtual-dtor -Wold-style-cast -Wdouble-promotion)
  # Warnings are errors where we look for them, in CI: the next compiler has new ones, and nobody's build may end there.
  if(HMMLT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (HMMLT_UNITY OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13))
    # g++ sees these in inlined code of the standard library and of Armadillo where there are none. Version 12 does not if
    # each source is compiled alone, as in the preset `portable`: there it looks for true ones.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized)
  endif()
  # Nobody looks at errno or at the floating-point traps, and without them loops with a choice become vector code.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math)
  # No absolute path inside an object file: the hash of an executable is part of the provenance of its results.
  target_compile_options(${target} PRIVATE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
  # ccache hands sources on by a path relative to the build.
  file(RELATIVE_PATH source_from_build "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
  if(source_from_build)
    string(REGEX REPLACE "/$" "" source_from_build "${source_from_build}")
    target_compile_options(${target} PRIVATE "-ffile-prefix-map=${source_from_build}=.")
  endif()
  if(HMMLT_ARCH)
    target_compile_options(${target} PRIVATE -march=${HMMLT_ARCH})
  endif()
  if(HMMLT_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${HMMLT_SANITIZE} -fno-omit-frame-pointer
                                            -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${HMMLT_SANITIZE})
  endif()
  # Sources that share headers and templates are compiled together; what each keeps to itself has a name of its own
  # (tools/check_names.py).
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${HMMLT_UNITY}" UNITY_BUILD_BATCH_SIZE 8)
  # Reading Armadillo takes longer than compiling most of what we do with it, so it is read once, for all targets.
  if(target STREQUAL hmmlt_core)
    target_precompile_headers(${target} PRIVATE <armadillo> <fmt/format.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM hmmlt_core)
  endif()
endfunction()

# A doctest binary whose cases become one ctest entry each, named <target>/<case>. ALONE: each source is compiled alone,
# since their examples share names.
function(hmmlt_add_tests target)
  cmake_parse_arguments(arg "ALONE" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  hmmlt_compile_options(${target})
  if(arg_ALONE)
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/libhmmlt/tests")
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} hmmlt_doctest_main)
  # Here, because what it sets is seen only by the folder that includes it, and without it no test would be found.
  find_package(doctest REQUIRED)
  include(doctest)
  doctest_discover_tests(${target} TEST_PREFIX "${target}/" PROPERTIES LABELS "${arg_LABELS}")
endfunction()
