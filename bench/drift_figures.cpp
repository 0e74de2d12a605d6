// SPDX-License-Identifier: MIT
#include "bench/drift_figures.hpp"

#include <algorithm>

namespace tessera {
namespace {

/// Seconds that the mean worker of a domain was in tasks.
double busy_s(Domain const& domain, DriftMark const& from, DriftMark const& to) {
  double sum = 0;
  for (int const worker : domain.workers) {
    auto const w = static_cast<std::size_t>(worker);
    sum += to.uses[w].busy_s - from.uses[w].busy_s;
  }
  return sum / static_cast<double>(domain.workers.size());
}

}  // namespace

double mflups_between(DriftMark const& from, DriftMark const& to) {
  double work = 0;
  for (std::size_t w = 0; w < to.uses.size(); ++w)
    work += static_cast<double>(to.uses[w].work - from.uses[w].work);
  return work / (to.time_s - from.time_s) * 1e-6;
}

double busy_mflups(std::vector<Domain> const& domains, DriftMark const& from, DriftMark const& to) {
  double sum = 0;
  for (DomainSpeed const& speed : domain_speeds(domains, from.uses, to.uses))
    sum += speed.work_per_second;
  return sum * 1e-6;
}

double part_of_speed(std::vector<Domain> const& domains, std::size_t which, DriftMark const& from,
                     DriftMark const& to) {
  double const all = busy_mflups(domains, from, to);
  return all > 0 ? busy_mflups({domains[which]}, from, to) / all : 0;
}

double busy_imbalance(std::vector<Domain> const& domains, DriftMark const& from,
                      DriftMark const& to) {
  double sum = 0;
  double most = 0;
  for (Domain const& domain : domains) {
    double const busy = busy_s(domain, from, to);
    sum += busy;
    most = std::max(most, busy);
  }
  return sum > 0 ? most * static_cast<double>(domains.size()) / sum - 1 : 0;
}

}  // namespace tessera
