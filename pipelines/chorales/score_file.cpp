// libzip behind two functions: archives are opened from memory and never unpacked to disk.
#include "pipelines/chorales/score_file.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <pugixml.hpp>

#include "hmmlt/io/errors.hpp"
#include "pipelines/chorales/musicxml.hpp"
#include "pipelines/chorales/text.hpp"

namespace hmmlt::chorales {

namespace {

namespace fs = std::filesystem;

struct Discard {  // what was only read needs no writing back
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

std::string too_large() {
    return fmt::format("larger than {} MiB, more than a score for four voices can need", largest_file >> 20);
}

bool ends_with_ignoring_case(std::string text, std::string_view ending) {
    for (char& letter : text)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return text.ends_with(ending);
}

Archive open_archive(std::string_view bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    Archive archive(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error));
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!archive) {
        zip_source_free(source);  // not taken over by an archive that could not be opened
        throw DataError(fmt::format("not a complete zip archive: {}", reason));
    }
    return archive;
}

std::string read_entry(zip_t* archive, zip_uint64_t index) {
    const std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(archive, index, 0));
    if (!file) throw DataError(fmt::format("damaged zip archive: {}", zip_strerror(archive)));
    // What the archive says about sizes is not to be trusted, so a bomb is noticed while it goes off.
    std::string content;
    char buffer[1 << 16];
    while (true) {
        const zip_int64_t n = zip_fread(file.get(), buffer, sizeof buffer);
        if (n < 0) throw DataError(fmt::format("damaged zip archive: {}", zip_file_strerror(file.get())));
        if (n == 0) return content;
        content.append(buffer, static_cast<std::size_t>(n));
        if (content.size() > largest_file) throw DataError("its zip archive holds a file " + too_large());
    }
}

// The entry that META-INF/container.xml names as the score, if it does.
zip_int64_t entry_named_by_container(zip_t* archive) {
    const zip_int64_t container = zip_name_locate(archive, "META-INF/container.xml", 0);
    if (container < 0) return -1;
    pugi::xml_document document;
    const std::string text = read_entry(archive, static_cast<zip_uint64_t>(container));
    if (!document.load_buffer(text.data(), text.size())) return -1;
    const pugi::xml_node root = document.child("container").child("rootfiles").child("rootfile");
    const std::string path = root.attribute("full-path").value();
    return path.empty() ? -1 : zip_name_locate(archive, path.c_str(), 0);
}

}  // namespace

bool has_score_name(const fs::path& file) {
    const std::string name = file.filename().string();
    return ends_with_ignoring_case(name, ".mxl") || ends_with_ignoring_case(name, ".musicxml") ||
           ends_with_ignoring_case(name, ".xml");
}

std::string read_bytes(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) throw system_error("read", path.string(), ENOENT);
    if (status.type() == fs::file_type::none) throw system_error("read", path.string(), error.value());
    if (status.type() != fs::file_type::regular) throw DataError("not a regular file");
    const std::unique_ptr<std::FILE, Discard> file(std::fopen(path.c_str(), "rb"));
    if (!file) throw system_error("read", path.string(), errno);
    std::string content;
    char buffer[1 << 16];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
        content.append(buffer, n);
        if (content.size() > largest_file) throw DataError(too_large());
    }
    if (std::ferror(file.get()) != 0) throw system_error("read", path.string(), errno);
    return content;
}

bool is_packed(std::string_view bytes) {
    return bytes.starts_with("PK");
}

std::string unpack(std::string_view bytes) {
    const Archive archive = open_archive(bytes);
    zip_int64_t score = entry_named_by_container(archive.get());
    for (zip_int64_t i = 0; score < 0 && i < zip_get_num_entries(archive.get(), 0); ++i) {
        const char* entry = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
        const std::string name = entry == nullptr ? "" : entry;
        if (name.starts_with("META-INF/")) continue;
        if (ends_with_ignoring_case(name, ".xml") || ends_with_ignoring_case(name, ".musicxml")) score = i;
    }
    if (score < 0) throw DataError("its zip archive holds no MusicXML file");
    return read_entry(archive.get(), static_cast<zip_uint64_t>(score));
}

Score read_score(std::string_view bytes) {
    return is_packed(bytes) ? parse_musicxml(unpack(bytes)) : parse_musicxml(bytes);
}

}  // namespace hmmlt::chorales
