# Warnings are errors, everywhere but where people only want to install; sanitizers where asked for.
option(TESSERA_WARNINGS_ARE_ERRORS "Stop at warnings" ON)
add_library(tessera_options INTERFACE)
# In a batch (cmake/Headers.cmake) Clang counts what another source names in its anonymous namespace as shadowed.
target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:
  -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow> -Wconversion -Wno-missing-field-initializers $<$<BOOL:${TESSERA_WARNINGS_ARE_ERRORS}>:-Werror>>)
target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
# GCC collects what it no longer needs each time that its memory has doubled: a tenth of its time.
target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
target_include_directories(tessera_options INTERFACE ${CMAKE_SOURCE_DIR})
# A change is linked into thirty programs: gold, which is a part of binutils, takes a third of the time of the usual linker.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold TESSERA_HAS_GOLD)
if(TESSERA_HAS_GOLD)
  target_link_options(tessera_options INTERFACE -fuse-ld=gold)
endif()
if(TESSERA_NO_FMA)
  target_compile_definitions(tessera_options INTERFACE TESSERA_NO_FMA)
  target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
                                                   $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
endif()
if(TESSERA_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  if(TESSERA_SANITIZE STREQUAL "THREAD")
    set(sanitizers -fsanitize=thread -fno-omit-frame-pointer)
  endif()
  # With sanitizers g++ 12 takes std::regex to use what it has not initialised.
  target_compile_options(tessera_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:${sanitizers} $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>)
  target_link_options(tessera_options INTERFACE ${sanitizers})
  if(TESSERA_LIBFUZZER)
    target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
  endif()
endif()

if(TESSERA_COVERAGE)
  # Kernels have no counters (tessera_options_of_sources): they would be counters for the most part. Counts that threads lose to
  # each other do no harm, as only whether a line has run is asked; atomic counters made loops of several threads 15 times slower.
  target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--coverage;-fprofile-update=single>)
  target_link_options(tessera_options INTERFACE --coverage)
endif()

# tessera_library(NAME SOURCES... ) -> target tessera_NAME with the project's options; all may use base/.
function(tessera_library name)
  add_library(tessera_${name} STATIC ${ARGN})
  if(NOT name STREQUAL "base")
    target_link_libraries(tessera_${name} PUBLIC tessera_base)
  endif()
  target_link_libraries(tessera_${name} PUBLIC tessera_options)
  tessera_reuse_headers(tessera_${name} tessera_headers)
  tessera_compile_in_batches(tessera_${name})
endfunction()

# tessera_module(NAME FOLDER LIBRARIES...): libtessera_NAME.so from FOLDER/*.cpp, to be loaded on demand (io/module_path.hpp).
function(tessera_module name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(tessera_${name} MODULE ${sources})
  target_link_libraries(tessera_${name} PRIVATE tessera_options fmt::fmt ${ARGN})
  tessera_compile_in_batches(tessera_${name})
  # Libraries of ParaView, MPI or Catalyst stay where they are.
  set_target_properties(tessera_${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/tessera
                        INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS tessera_${name} LIBRARY DESTINATION lib/tessera)
endfunction()

set(of_release "$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>")
if(TESSERA_COVERAGE)
  set(of_release 0)  # its preset says how all are compiled; with counters, g++ 12 crashes at -O3
endif()
# tessera_of_words(TARGET): it handles words: lines, options, JSON. Templates of other libraries fill it, which take -O3 twice as
# long and run once.
function(tessera_of_words target)
  target_compile_options(${target} PRIVATE $<${of_release}:-Og>)
endfunction()

# tessera_of_loops(TARGET): it loops over voxels, nodes or elements.
function(tessera_of_loops target)
  if(TESSERA_KERNELS STREQUAL "ALL")
    target_compile_options(${target} PRIVATE $<${of_release}:-O3>)
  endif()
endfunction()
