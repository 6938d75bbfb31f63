// The streams of one block of one sweep: a conditional that draws for many rows, states or sequences takes one stream
// per item from here, so that items may be drawn in any order and on any thread.
#pragma once

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

class BlockStreams {
  public:
    // Items are counted from `item` of the address.
    explicit BlockStreams(const StreamAddress& address) : address_(address) {}

    Stream item(std::size_t index) const { return Stream(from(index).address_); }

    // The same streams counted from `first`: for a conditional that is called several times in one block.
    BlockStreams from(std::size_t first) const {
        StreamAddress address = address_;
        address.item += static_cast<std::uint32_t>(first);
        return BlockStreams(address);
    }

  private:
    StreamAddress address_;
};

}  // namespace hmmlt
