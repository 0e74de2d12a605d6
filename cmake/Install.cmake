# What others need to run the program: bin/tessera, and lib/tessera with the module for ParaView and a StarPU that is not the
# system's own. scripts/build-starpu.sh keeps that one in its user's folder, which others may not read: the build has a copy, too.
set(private_libraries lib/tessera)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${private_libraries}")
if(TESSERA_HAS_CUDA)
  list(APPEND CMAKE_INSTALL_RPATH ${CUDAToolkit_LIBRARY_DIR})
endif()

pkg_get_variable(starpu_libraries ${STARPU_MODULE_NAME} libdir)
if(NOT starpu_libraries IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES AND NOT starpu_libraries MATCHES "^/(usr|opt)/")
  # The names that programs ask for: libstarpu-1.3.so.9
  file(GLOB starpu_shared ${starpu_libraries}/libstarpu-1.*.so.? ${starpu_libraries}/libstarpumpi-1.*.so.?)
  file(COPY ${starpu_shared} DESTINATION ${CMAKE_BINARY_DIR}/${private_libraries} FOLLOW_SYMLINK_CHAIN)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/${private_libraries}/ DESTINATION ${private_libraries} USE_SOURCE_PERMISSIONS
          FILES_MATCHING PATTERN "libstarpu*")
  set(CMAKE_BUILD_RPATH "$ORIGIN/../${private_libraries}")
endif()
