// The streams of one block of one sweep: a conditional that draws for many rows, states or sequences takes one stream
// per item from here, so that items may be drawn in any order and on any thread.
#pragma once

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

class BlockStreams {
  public:
    // `item` of the address is ignored.
    explicit BlockStreams(const StreamAddress& address) : address_(address) {}

    Stream item(std::size_t index) const {
        StreamAddress address = address_;
        address.item = static_cast<std::uint32_t>(index);
        return Stream(address);
    }

  private:
    StreamAddress address_;
};

}  // namespace hmmlt
