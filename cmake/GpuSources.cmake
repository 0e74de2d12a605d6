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
