// A folder of speakers' folders of sentences, of which only those that are asked for are read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hmmlt::pascal {

struct Speaker {
    std::string name;                              // of the folder
    std::vector<std::filesystem::path> sentences;  // *.wav, sorted by the bytes of their names; never empty
};

class Corpus {
  public:
    // Lists the corpus; speakers are sorted by the bytes of their names. A folder without WAV files is no speaker, and
    // hidden files do not count. Throws IoError, naming the folder that cannot be read.
    Corpus(std::filesystem::path folder, int sample_rate);

    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<Speaker>& speakers() const { return speakers_; }

    // As the corpus calls itself in corpus.json ("name"), else the name of its folder.
    std::string name() const;

    // Read at the first call, kept for the next. Throws as read_wav does.
    const std::vector<float>& samples(std::size_t speaker, std::size_t sentence);

    // SHA-256 of what the samples so far depend on: the names of all sentences and the content of those read.
    std::string sha256() const;

  private:
    struct Sound {
        std::vector<float> samples;
        std::string sha256;
    };

    std::filesystem::path folder_;
    int sample_rate_;
    std::vector<Speaker> speakers_;
    std::map<std::pair<std::size_t, std::size_t>, Sound> read_;
};

}  // namespace hmmlt::pascal
