// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace tessera::steady::diffusion {

/// The least eigenvalue of the tridiagonal matrix that n iterations of conjugate gradients give:
/// products <p_k, A p_k>, n of them, and squares <r_k, H r_k>, one more. At most 1 where n is 0. It
/// is at least that of H A, and comes close within few iterations. Golub, Meurant, BIT 37 (1997)
/// 687.
double least_eigenvalue(std::span<double const> products, std::span<double const> squares);

}  // namespace tessera::steady::diffusion
