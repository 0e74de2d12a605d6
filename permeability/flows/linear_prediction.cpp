// SPDX-License-Identifier: MIT
#include "permeability/flows/linear_prediction.hpp"

#include <Eigen/SVD>

namespace tessera {

double predicted_limit(std::span<double const> values, int modes) {
  auto const count = static_cast<Eigen::Index>(values.size()) - 1;
  Eigen::Map<Eigen::VectorXd const> const x(values.data(), count + 1);
  Eigen::VectorXd const d = x.tail(count) - x.head(count);
  // d_i = sum_j a_j d_i-j, j = 1 ... modes.
  Eigen::Index const rows = count - modes;
  Eigen::MatrixXd earlier(rows, modes);
  for (Eigen::Index j = 1; j <= modes; ++j) earlier.col(j - 1) = d.segment(modes - j, rows);
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(earlier, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-6);  // fewer modes than that: the smallest coefficients of all that fit
  Eigen::VectorXd const a = svd.solve(d.tail(rows));
  // The sum S of all differences to come: S = sum_j a_j (S + the last j of those that there are).
  double known = 0;
  for (Eigen::Index j = 1; j <= modes; ++j) known += a[j - 1] * d.tail(j).sum();
  return values.back() + known / (1 - a.sum());
}

}  // namespace tessera
