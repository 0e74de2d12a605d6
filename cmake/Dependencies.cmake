# Everything comes from Debian's packages (scripts/install-dependencies.sh), StarPU from there or from our own build of
# Debian's source (scripts/build-starpu.sh).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(muparser REQUIRED)
find_package(TIFF REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(EIGEN REQUIRED IMPORTED_TARGET eigen3)

find_package(HDF5 REQUIRED COMPONENTS C)
add_library(tessera_hdf5 INTERFACE)
target_include_directories(tessera_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(tessera_hdf5 INTERFACE ${HDF5_C_LIBRARIES})

# Images of classic NetCDF.
if(TESSERA_NETCDF)
  pkg_check_modules(NETCDF IMPORTED_TARGET netcdf)
endif()

find_package(pugixml REQUIRED)
find_package(PNG REQUIRED)

find_path(TEEM_INCLUDE_DIR teem/nrrd.h REQUIRED)
find_library(TEEM_LIBRARY teem REQUIRED)
add_library(tessera_teem INTERFACE)
target_include_directories(tessera_teem SYSTEM INTERFACE ${TEEM_INCLUDE_DIR})
target_link_libraries(tessera_teem INTERFACE ${TEEM_LIBRARY})

# Triangle meshes (STL). Embree comes from x86-64; on other processors STL is left out where there is none.
find_package(embree 4 QUIET)
if(NOT embree_FOUND)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    find_package(embree 3 REQUIRED)
  else()
    find_package(embree 3 QUIET)
  endif()
endif()
if(TARGET embree)
  add_library(tessera_embree INTERFACE)
  target_link_libraries(tessera_embree INTERFACE embree)
  message(STATUS "STL: ON, Embree ${embree_VERSION}")
else()
  message(STATUS "STL: OFF, there is no Embree 3 or 4: files of triangles will be refused, all else works")
endif()

find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
add_library(tessera_metis INTERFACE)
target_include_directories(tessera_metis SYSTEM INTERFACE ${METIS_INCLUDE_DIR})
target_link_libraries(tessera_metis INTERFACE ${METIS_LIBRARY})

# What base/ranks/ and graph/tasks/ take of their folders mpi/ and alone/.
set(TESSERA_PROCESSES alone)
set(starpu_modules starpu-1.4 starpu-1.3)
set(starpu_options --no-mpi)
if(TESSERA_MPI)
  set(TESSERA_PROCESSES mpi)
  set(starpu_modules starpumpi-1.4 starpumpi-1.3)
  set(starpu_options)
  # The MPI that StarPU-MPI calls; its C++ bindings are gone in OpenMPI 5.
  find_package(MPI REQUIRED COMPONENTS C)
  add_library(tessera_mpi INTERFACE)
  target_link_libraries(tessera_mpi INTERFACE MPI::MPI_C)
  target_compile_definitions(tessera_mpi INTERFACE OMPI_SKIP_MPICXX)
endif()

if(TESSERA_STARPU)
  # Who calls CMake by hand need not know where scripts/build-starpu.sh has put it; pip has it made if need be.
  if(NOT DEFINED ENV{PKG_CONFIG_PATH})
    set(only_find --find)
    if(SKBUILD)
      set(only_find)
    endif()
    execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/build-starpu.sh ${starpu_options} ${only_find}
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(ENV{PKG_CONFIG_PATH} "${found}")
  endif()
  pkg_search_module(STARPU REQUIRED IMPORTED_TARGET ${starpu_modules})
  # StarPU's headers are not ours to warn about.
  set_target_properties(PkgConfig::STARPU PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${STARPU_INCLUDE_DIRS}")
  # Nor to wait for: only sources of CUDA need what StarPU includes of it.
  target_compile_definitions(PkgConfig::STARPU INTERFACE $<$<COMPILE_LANGUAGE:CXX>:STARPU_DONT_INCLUDE_CUDA_HEADERS>)
endif()

# Which StarPU counts cores with.
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)

if(TESSERA_TESTS)
  find_package(GTest REQUIRED)
endif()
