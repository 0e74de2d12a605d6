# What nearly all sources include is parsed once: a build takes two fifths less. Sources go on naming all that they use, as
# clang-tidy reads them without. With a cache of the compiler, which would miss all of these, each source is by itself.
set(parses_once FALSE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(parses_once TRUE)
endif()

# tessera_parse_once(TARGET HEADERS...): these too, for itself and for those that reuse them.
function(tessera_parse_once target)
  if(parses_once)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
      <memory> <numeric> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# tessera_reuse_headers(TARGET OF): what OF has parsed, of the same options, and with fmt, whose macros have to be the same.
function(tessera_reuse_headers target of)
  if(parses_once)
    target_link_libraries(${target} PRIVATE fmt::fmt)
    target_precompile_headers(${target} REUSE_FROM ${of})
    # Of std::string g++ 12 warns wrongly at -O1, and of headers that were parsed apart it says so.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overread;-Wno-stringop-overflow>")
  endif()
endfunction()

# tessera_options_of_sources(OPTIONS SOURCES...): kernels, with options that headers parsed without them do not fit.
function(tessera_options_of_sources options)
  if(TESSERA_COVERAGE)
    list(APPEND options -fno-profile-arcs -fno-test-coverage)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# For targets that are there for their headers.
set(nothing_else ${CMAKE_BINARY_DIR}/nothing_else.cpp)
file(CONFIGURE OUTPUT ${nothing_else} CONTENT "int main() {}\n")
if(parses_once)
  add_library(tessera_headers OBJECT ${nothing_else})
  target_link_libraries(tessera_headers PRIVATE tessera_options fmt::fmt)
  tessera_parse_once(tessera_headers)
endif()

# The sources of a folder are compiled several at a time, so headers are read and templates filled once for all of them. What is
# named in an anonymous namespace has one meaning in its folder.
# Few at a time are compiled again soon after a change; all of a folder take least from nothing (preset cores, and .ci/run, which
# finds names that clash).
set(TESSERA_BATCH 3 CACHE STRING "How many sources are compiled as one: 1 for each by itself, 0 for all of a folder")
if(DEFINED ENV{TESSERA_BATCH})
  set(TESSERA_BATCH $ENV{TESSERA_BATCH} CACHE STRING "" FORCE)
endif()
function(tessera_compile_in_batches target)
  if(NOT TESSERA_BATCH EQUAL 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${TESSERA_BATCH})
    # It asks for types of the source that is compiled to stay in it, which is another one here.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>")
  endif()
endfunction()
# tessera_compile_singly(TARGET): one source takes seconds, so three at a time would keep whoever changes one of them waiting.
function(tessera_compile_singly target)
  if(NOT TESSERA_BATCH EQUAL 0)
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()
