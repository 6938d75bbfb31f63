#include "pipelines/pascal/corpus.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "pipelines/pascal/wav.hpp"

namespace hmmlt::pascal {

namespace {

namespace fs = std::filesystem;

bool is_wav(const fs::path& path) {
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return ending == ".wav";
}

bool leads_to_folder(const fs::path& path) {
    std::error_code error;
    const bool yes = fs::is_directory(path, error);
    if (error) throw system_error("read", path.string(), error.value());
    return yes;
}

// What is in a folder, hidden files apart, sorted by the bytes of the names.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (!it->path().filename().string().starts_with('.')) entries.push_back(it->path());
    if (error) throw system_error("read", folder.string(), error.value());
    std::sort(entries.begin(), entries.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return entries;
}

}  // namespace

Corpus::Corpus(fs::path folder, int sample_rate) : folder_(std::move(folder)), sample_rate_(sample_rate) {
    for (const fs::path& entry : entries_of(folder_)) {
        if (!leads_to_folder(entry)) continue;
        std::vector<fs::path> sentences = entries_of(entry);
        std::erase_if(sentences, [](const fs::path& path) { return !is_wav(path); });
        if (!sentences.empty()) speakers_.push_back({entry.filename().string(), std::move(sentences)});
    }
}

std::string Corpus::name() const {
    const fs::path description = folder_ / "corpus.json";
    std::error_code error;
    if (fs::exists(description, error)) {
        std::ifstream file(description);
        const auto json = nlohmann::json::parse(file, nullptr, false);
        if (!json.is_object() || !json.contains("name") || !json["name"].is_string())
            throw DataError(description.string() + ": expected a JSON object with a string \"name\"");
        return json["name"];
    }
    const fs::path absolute = fs::absolute(folder_, error).lexically_normal();
    return (absolute.has_filename() ? absolute : absolute.parent_path()).filename().string();
}

const std::vector<float>& Corpus::samples(std::size_t speaker, std::size_t sentence) {
    const auto [found, is_new] = read_.try_emplace({speaker, sentence});
    if (is_new) {
        const fs::path& path = speakers_.at(speaker).sentences.at(sentence);
        found->second = {read_wav(path, sample_rate_), sha256_of_file(path)};
    }
    return found->second.samples;
}

std::string Corpus::sha256() const {
    Sha256 hash;
    const auto add = [&](const std::string& text) { hash.update(std::to_string(text.size()) + ":" + text); };
    for (std::size_t speaker = 0; speaker < speakers_.size(); ++speaker) {
        add(speakers_[speaker].name);
        for (std::size_t sentence = 0; sentence < speakers_[speaker].sentences.size(); ++sentence) {
            const auto found = read_.find({speaker, sentence});
            add(speakers_[speaker].sentences[sentence].filename().string());
            add(found == read_.end() ? "" : found->second.sha256);
        }
    }
    return hash.hex();
}

}  // namespace hmmlt::pascal
