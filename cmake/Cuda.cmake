# The CUDA toolkit, for code that is compiled for the GPU as well.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80 90)
endif()
enable_language(CUDA)
string(APPEND CMAKE_CUDA_FLAGS " --expt-relaxed-constexpr -Werror all-warnings")
# CMake 3.25 does not know yet that nvcc speaks C++20.
foreach(kind STANDARD EXTENSION)
  set(CMAKE_CUDA20_${kind}_COMPILE_OPTION "-std=c++20")
endforeach()
