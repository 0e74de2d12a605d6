# Kernels for cores are compiled once for each set of instructions; which one runs is decided when the program starts.
set(TESSERA_KERNELS ALL CACHE STRING "Kernels for cores: ALL processors, or HERE: the one that compiles")
set_property(CACHE TESSERA_KERNELS PROPERTY STRINGS ALL HERE)

set(instruction_sets generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND instruction_sets avx2 avx512)
  set(options_generic "$<$<CONFIG:Release>:-O2>")  # for processors from before 2013: -O3 takes half as long again to compile
endif()
set(options_avx2 "$<$<CONFIG:Release>:-O3>;-march=x86-64-v3")
set(options_avx512 "$<$<CONFIG:Release>:-O3>;-march=x86-64-v4;-mprefer-vector-width=512")

if(TESSERA_KERNELS STREQUAL "HERE" AND "avx2" IN_LIST instruction_sets)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null OUTPUT_VARIABLE here)
  # As base/machine/instructions.cpp asks the processor.
  set(instruction_sets generic)
  if(here MATCHES "__AVX2__" AND here MATCHES "__FMA__" AND here MATCHES "__BMI2__" AND here MATCHES "__F16C__")
    set(instruction_sets avx2)
    if(here MATCHES "__AVX512F__" AND here MATCHES "__AVX512VL__" AND here MATCHES "__AVX512BW__" AND
       here MATCHES "__AVX512DQ__" AND here MATCHES "__AVX512CD__")
      set(instruction_sets avx512)
    endif()
  endif()
endif()
message(STATUS "Kernels for cores: ${instruction_sets}")
foreach(set IN LISTS instruction_sets)
  string(TOUPPER ${set} name)
  target_compile_definitions(tessera_options INTERFACE TESSERA_FOR_${name}=1)
endforeach()
