/// \file
/// From the partition to the natural order: values of scattered items, brought into equal consecutive shares for writing.
#pragma once

#include "partition/exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sinew {

/// Items 0..total-1 are scattered over the ranks, every one on exactly one. After `arrange` rank r holds
/// first()..first()+count()-1 in order.
class NaturalOrder {
 public:
  NaturalOrder() = default;
  /// `mine`: natural numbers of this rank's items, in any order. Collective.
  NaturalOrder(MPI_Comm comm, std::int64_t total, const std::vector<std::int64_t>& mine);

  std::int64_t total() const { return total_; }
  std::int64_t first() const { return first_; }
  std::int64_t count() const { return static_cast<std::int64_t>(place_.size()); }

  /// `values`: `width` numbers for each of this rank's items, in the order given to the constructor. Returns those of its share.
  /// Collective.
  template <class T>
  std::vector<T> arrange(const std::vector<T>& values, int width) const;

 private:
  MPI_Comm comm_ = MPI_COMM_SELF;
  std::int64_t total_ = 0, first_ = 0;
  std::vector<std::size_t> send_item_;  ///< items in the order of sending
  std::vector<int> send_count_, receive_count_;
  std::vector<std::size_t> place_;  ///< of the items in the order of receiving, in the share
};

template <class T>
std::vector<T> NaturalOrder::arrange(const std::vector<T>& values, int width) const {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto w = static_cast<std::size_t>(width);
  if (send_count_.size() ==
      1) {  // the only rank: without the copies that messages need, which long runs would show as their peak
    std::vector<T> share(w * place_.size());
    for (std::size_t i = 0; i < place_.size(); ++i)
      std::copy_n(values.data() + w * send_item_[i], w, share.data() + w * place_[i]);
    return share;
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(w * sizeof(T)), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  std::vector<T> send(w * send_item_.size()), received(w * place_.size());
  for (std::size_t i = 0; i < send_item_.size(); ++i) std::copy_n(values.data() + w * send_item_[i], w, send.data() + w * i);
  std::vector<int> send_start(send_count_.size(), 0), receive_start(receive_count_.size(), 0);
  std::exclusive_scan(send_count_.begin(), send_count_.end(), send_start.begin(), 0);
  std::exclusive_scan(receive_count_.begin(), receive_count_.end(), receive_start.begin(), 0);
  MPI_Alltoallv(send.data(), send_count_.data(), send_start.data(), type, received.data(), receive_count_.data(),
                receive_start.data(), type, comm_);
  MPI_Type_free(&type);
  send = std::vector<T>();
  std::vector<T> share(w * place_.size());
  for (std::size_t i = 0; i < place_.size(); ++i) std::copy_n(received.data() + w * i, w, share.data() + w * place_[i]);
  return share;
}

/// Numbers cells by their points: sorted by the first point, then by the others, so that the numbers are the same on any number
/// of ranks. `cells`: `width` natural numbers of points for each of this rank's cells. Collective.
std::vector<std::int64_t> number_cells(MPI_Comm comm, std::int64_t num_points, const std::vector<std::int64_t>& cells, int width);

}  // namespace sinew
