# SPDX-License-Identifier: MIT
# Recipe for Spack (not tried yet): into a repository of recipes, as packages/tessera-lbm/package.py. `git` is to be set to where
# the sources are, or `spack develop` to name a folder with them.
from spack.package import *


class TesseraLbm(CMakePackage, CudaPackage):
    """Flow through irregular porous geometry by the lattice Boltzmann method, on StarPU."""

    license("MIT")
    version("main", branch="main")

    variant("python", default=True, description="The Python module")
    variant("paraview", default=False, description="In-situ analysis by ParaView Catalyst")
    variant("embree", default=True, description="Triangle meshes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build")
    depends_on("starpu@1.3.10:+mpi+fxt~examples")
    depends_on("starpu+cuda", when="+cuda")
    depends_on("metis@5:")
    depends_on("mpi")
    depends_on("hwloc")
    depends_on("libtiff")
    depends_on("hdf5~mpi")
    depends_on("libzip")
    depends_on("openssl")
    depends_on("zlib-api")
    depends_on("isa-l")
    depends_on("libpng")
    depends_on("eigen")
    depends_on("netcdf-c~mpi")
    depends_on("teem")
    depends_on("pugixml")
    depends_on("cli11@2.1:")
    depends_on("tomlplusplus")
    depends_on("muparser")
    depends_on("spdlog+shared+fmt_external")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("embree@3:4", when="+embree")
    depends_on("paraview@5.11:+python", when="+paraview")
    with when("+python"):
        extends("python")
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type="run")
        depends_on("py-tqdm", type="run")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("TESSERA_TESTS", self.run_tests),
            self.define_from_variant("TESSERA_CUDA", "cuda"),
            self.define_from_variant("TESSERA_PYTHON", "python"),
            self.define_from_variant("TESSERA_INSITU", "paraview"),
        ]
