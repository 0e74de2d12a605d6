// SPDX-License-Identifier: MIT
// As much of the C interface of libcatalyst 2.0, and of Conduit, as Tessera's module calls. The
// stand-in behind it keeps the trees that it is given (stand_in.hpp).
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void conduit_node;
typedef int64_t conduit_index_t;

enum { CONDUIT_ENDIANNESS_DEFAULT_ID = 0 };

conduit_node* conduit_node_create(void);
void conduit_node_destroy(conduit_node* node);
conduit_node* conduit_node_fetch(conduit_node* node, char const* path);
conduit_node* conduit_node_append(conduit_node* node);
void conduit_node_set_char8_str(conduit_node* node, char const* value);
void conduit_node_set_path_char8_str(conduit_node* node, char const* path, char const* value);
void conduit_node_set_path_int64(conduit_node* node, char const* path, int64_t value);
void conduit_node_set_path_float64(conduit_node* node, char const* path, double value);
void conduit_node_set_path_float64_ptr(conduit_node* node, char const* path, double* values,
                                       conduit_index_t count);
void conduit_node_set_path_external_float32_ptr(conduit_node* node, char const* path, float* values,
                                                conduit_index_t count);
/* Offset, stride and size of an element in bytes. */
void conduit_node_set_path_external_float32_ptr_detailed(conduit_node* node, char const* path,
                                                         float* values, conduit_index_t count,
                                                         conduit_index_t offset,
                                                         conduit_index_t stride,
                                                         conduit_index_t element_bytes,
                                                         conduit_index_t endianness);
void conduit_node_set_path_external_int64_ptr(conduit_node* node, char const* path, int64_t* values,
                                              conduit_index_t count);
void conduit_node_set_path_external_int32_ptr(conduit_node* node, char const* path, int32_t* values,
                                              conduit_index_t count);
void conduit_node_set_path_external_uint8_ptr(conduit_node* node, char const* path, uint8_t* values,
                                              conduit_index_t count);

// NOLINTNEXTLINE(readability-identifier-naming): the name is libcatalyst's
enum catalyst_status { catalyst_status_ok = 0, catalyst_status_error_incomplete = 4 };

enum catalyst_status catalyst_initialize(conduit_node const* parameters);
enum catalyst_status catalyst_execute(conduit_node const* parameters);
enum catalyst_status catalyst_finalize(conduit_node const* parameters);

#ifdef __cplusplus
}
#endif
