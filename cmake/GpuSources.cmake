# The sources of a folder that this build can compile: *.cpp, with CUDA *.cu too. What uses the CUDA runtime is called gpu_*,
# what stands in for it no_gpu_*.
function(sources_for_this_build result)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  if(TESSERA_HAS_CUDA)
    file(GLOB kernels CONFIGURE_DEPENDS *.cu)
    list(APPEND sources ${kernels})
    list(FILTER sources EXCLUDE REGEX "/no_gpu_[^/]*$")
  else()
    list(FILTER sources EXCLUDE REGEX "/gpu_[^/]*$")
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# tessera_kernels_together(RESULT NAME SOURCES...): kernels of one folder, made or written. nvcc reads headers for 8 s before it
# compiles the first line of a source, so where all of a folder are compiled as one (cmake/Headers.cmake), NAME.cu includes these.
function(tessera_kernels_together result name)
  set(sources ${ARGN})
  if(TESSERA_BATCH EQUAL 0)
    list(TRANSFORM sources REPLACE ".+" "#include \"\\0\"" OUTPUT_VARIABLE includes)
    list(JOIN includes "\n" content)
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/${name}.cu)
    file(CONFIGURE OUTPUT ${sources} CONTENT "${content}\n" @ONLY)
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()
