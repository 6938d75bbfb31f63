// One sentence from its WAV file. libsndfile stays behind this header.
#pragma once

#include <filesystem>
#include <vector>

namespace hmmlt::pascal {

// The samples of a WAV file (any encoding libsndfile reads: 16 and 24 bits, float, ...), whole numbers as parts of the
// full scale; of several channels the first. Throws IoError if the file cannot be read, DataError if it is not WAV, has
// another sample rate, holds no sample or one that is not finite, or ends before its header says.
std::vector<float> read_wav(const std::filesystem::path& path, int sample_rate);

}  // namespace hmmlt::pascal
