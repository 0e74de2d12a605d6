# Kernels for cores are compiled once for each set of instructions; which one runs is decided when the program starts.
set(instruction_sets generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND instruction_sets avx2 avx512)
  set(options_generic "$<$<CONFIG:Release>:-O2>")  # for processors from before 2013: -O3 takes half as long again to compile
endif()
set(options_avx2 "-march=x86-64-v3")
set(options_avx512 "-march=x86-64-v4;-mprefer-vector-width=512")
