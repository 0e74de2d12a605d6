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

# cpack -G DEB
set(CPACK_PACKAGE_NAME tessera-lbm)
set(CPACK_PACKAGE_CONTACT "The Tessera developers <noreply@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/${private_libraries} ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-paraview")
include(CPack)
