// SPDX-License-Identifier: MIT
// What StarPU sends goes to SMPI as plain bytes. StarPU describes a vector by a type of its own,
// and SMPI packs each message of such a type into a buffer that lasts until the message has
// arrived: of 64 nodes they were most of the memory. Nobody looks at what is sent here, and its
// size is the same. The linker puts these in place of MPI's own (--wrap in bench/simulate.sh).
#include <mpi.h>

extern "C" {

// The linker's names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
int __real_MPI_Isend(void const*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
int __real_MPI_Irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

int __wrap_MPI_Isend(void const* from, int count, MPI_Datatype type, int rank, int tag,
                     MPI_Comm comm, MPI_Request* request) {
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  return __real_MPI_Isend(from, count * bytes, MPI_BYTE, rank, tag, comm, request);
}

int __wrap_MPI_Irecv(void* to, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                     MPI_Request* request) {
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  return __real_MPI_Irecv(to, count * bytes, MPI_BYTE, rank, tag, comm, request);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"
