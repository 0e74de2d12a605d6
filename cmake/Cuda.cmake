# The CUDA toolkit. AUTO takes it where there is a compiler and StarPU was built with CUDA; what is built runs on machines
# without a GPU as well.
set(TESSERA_CUDA AUTO CACHE STRING "Compile the code for GPUs: ON, OFF or AUTO")
set_property(CACHE TESSERA_CUDA PROPERTY STRINGS AUTO ON OFF)

set(TESSERA_HAS_CUDA OFF)
if(TESSERA_CUDA AND TESSERA_STARPU)
  include(CheckLanguage)
  include(CheckSymbolExists)
  check_language(CUDA)
  set(CMAKE_REQUIRED_INCLUDES ${STARPU_INCLUDE_DIRS})
  check_symbol_exists(STARPU_USE_CUDA starpu_config.h TESSERA_STARPU_HAS_CUDA)
  unset(CMAKE_REQUIRED_INCLUDES)
  if(CMAKE_CUDA_COMPILER AND TESSERA_STARPU_HAS_CUDA)
    set(TESSERA_HAS_CUDA ON)
  elseif(NOT TESSERA_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "TESSERA_CUDA=${TESSERA_CUDA} needs nvcc (found: ${CMAKE_CUDA_COMPILER}) and a StarPU with CUDA "
                        "(scripts/build-starpu.sh builds one)")
  endif()
endif()
message(STATUS "GPUs: ${TESSERA_HAS_CUDA}")

if(TESSERA_HAS_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  # One CUDA runtime in the process: StarPU's.
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  enable_language(CUDA)
  string(APPEND CMAKE_CUDA_FLAGS " --expt-relaxed-constexpr -Werror all-warnings")
  # CMake 3.25 does not know yet that nvcc speaks C++20.
  foreach(kind STANDARD EXTENSION)
    set(CMAKE_CUDA20_${kind}_COMPILE_OPTION "-std=c++20")
  endforeach()
  set(CMAKE_CUDA_STANDARD 20)
  find_package(CUDAToolkit REQUIRED)
endif()
