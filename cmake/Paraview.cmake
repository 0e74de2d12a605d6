# ParaView for scripts that look at the running flow (insitu/). It ends up in a module of its own, which the program loads when
# there is a script to run.
# With CATALYST, or where there is no ParaView, it is libcatalyst (Catalyst 2), which loads an implementation by itself.
set(TESSERA_INSITU AUTO CACHE STRING "Look at running flows: AUTO, ON (by ParaView), CATALYST (by libcatalyst) or OFF")
set_property(CACHE TESSERA_INSITU PROPERTY STRINGS AUTO ON CATALYST OFF)

set(TESSERA_HAS_PARAVIEW OFF)
set(TESSERA_HAS_CATALYST OFF)
if(TESSERA_INSITU AND NOT TESSERA_INSITU STREQUAL "CATALYST")
  # Debian's package names these targets and does not look for them itself.
  foreach(package Boost LibXml2 X11 GLEW Freetype)
    find_package(${package} QUIET)
  endforeach()
  find_package(MPI QUIET COMPONENTS C)
  # It stops CMake for good if one of its own dependencies is missing, hence the list below.
  find_package(ParaView QUIET COMPONENTS InSitu Catalyst PythonCatalyst VTKExtensionsMisc RemotingServerManager)
  set(missing)
  foreach(target Boost::boost LibXml2::LibXml2 X11::X11 GLEW::GLEW Freetype::Freetype MPI::MPI_C NetCDF::NetCDF LZ4::LZ4
                 double-conversion::double-conversion Python3::Python ParaView::InSitu)
    if(NOT TARGET ${target})
      list(APPEND missing ${target})
    endif()
  endforeach()
  if(NOT missing)
    set(TESSERA_HAS_PARAVIEW ON)
  elseif(NOT TESSERA_INSITU STREQUAL "AUTO")
    message(FATAL_ERROR "TESSERA_INSITU=${TESSERA_INSITU} needs ParaView with Python (Debian: paraview-dev; "
                        "scripts/install-dependencies.sh installs it); missing: ${missing}")
  endif()
endif()
if(TESSERA_INSITU AND NOT TESSERA_HAS_PARAVIEW)
  find_package(catalyst 2.0 QUIET)
  set(TESSERA_HAS_CATALYST ${catalyst_FOUND})
  if(TESSERA_INSITU STREQUAL "CATALYST" AND NOT catalyst_FOUND)
    message(FATAL_ERROR "TESSERA_INSITU=CATALYST needs libcatalyst 2.0: say where with -Dcatalyst_DIR=")
  endif()
endif()
message(STATUS "ParaView: ${TESSERA_HAS_PARAVIEW}, Catalyst 2: ${TESSERA_HAS_CATALYST}")
