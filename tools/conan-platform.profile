# Every requirement of conanfile.txt comes from the platform (Debian's packages and .venv), so that Conan can resolve
# the file without a network.
[settings]
os=Linux
arch=x86_64
compiler=gcc
compiler.version=12
compiler.libcxx=libstdc++11
compiler.cppstd=20
build_type=Release

[platform_requires]
armadillo/12.6.4
arrow/17.0.0
benchmark/1.9.0
boost/1.86.0
cli11/2.4.2
doctest/2.4.11
fmt/11.0.2
libsndfile/1.2.2
libzip/1.11.1
nlohmann_json/3.11.3
openblas/0.3.27
openssl/3.3.2
pugixml/1.14
tomlplusplus/3.4.0

[conf]
# Conan would otherwise write CMakeUserPresets.json beside our presets.
tools.cmake.cmaketoolchain:user_presets=
