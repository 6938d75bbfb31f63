// Well-formed MusicXML full of odd music: each byte stands for an element or a number, so that the fuzzer needs no luck
// to get past the XML parser.
#include <fmt/format.h>

#include <array>
#include <string>

#include "pipelines/chorales/musicxml.hpp"
#include "pipelines/fuzz/score_checks.hpp"

namespace {

constexpr std::array names{"Soprano", "Alto", "Tenor", "Bass", "Violino"};
constexpr std::array numbers{"0",  "1",  "2",   "3",          "4",          "5",          "6",
                             "7",  "8",  "9",   "12",         "24",         "-1",         "-2",
                             "-7", "13", "0.5", "1000000000", "1000000001", "999999937",  "999999893",
                             "",   "x",  "1e9", "2147483648", "4294967296", "1073741824", "9223372036854775807"};
constexpr std::array flags{"", "", "", "", "<chord/>", "<grace/>", "<cue/>", "<chord/><cue/>"};

class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    bool any() const { return size_ > 0; }
    std::size_t below(std::size_t bound) {
        if (!any()) return 0;
        --size_;
        return *data_++ % bound;
    }
    // Mostly a number of no interest, so that not every score fails.
    const char* number() {
        const std::size_t choice = below(256);
        return numbers[choice < 200 ? choice % 8 : choice % numbers.size()];
    }

  private:
    const std::uint8_t* data_;
    std::size_t size_;
};

std::string element(Bytes& bytes) {
    switch (bytes.below(12)) {
        case 0:
            return fmt::format("<backup><duration>{}</duration></backup>", bytes.number());
        case 1:
            return fmt::format("<forward><duration>{}</duration></forward>", bytes.number());
        case 2:
            return fmt::format("<attributes><divisions>{}</divisions></attributes>", bytes.number());
        case 3:
            return fmt::format(
                "<attributes><transpose><chromatic>{}</chromatic><octave-change>{}</octave-change>"
                "</transpose></attributes>",
                bytes.number(), bytes.number());
        case 4:
            return "</measure><measure>";
        case 5:
            return fmt::format("<note>{}<rest/><duration>{}</duration></note>", flags[bytes.below(flags.size())],
                               bytes.number());
        default: {
            const char* flag = flags[bytes.below(flags.size())];
            const char step = "CDEFGABH"[bytes.below(8)];
            const char* alter = bytes.number();
            const char* octave = bytes.number();
            const char* tie = bytes.below(4) == 0 ? "<tie type=\"stop\"/>" : "";
            return fmt::format(
                "<note>{}<pitch><step>{}</step><alter>{}</alter><octave>{}</octave></pitch><duration>{}"
                "</duration>{}</note>",
                flag, step, alter, octave, bytes.number(), tie);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const std::string key = fmt::format("<key><fifths>{}</fifths><mode>{}</mode></key>", bytes.number(),
                                        bytes.below(2) == 0 ? "major" : "minor");
    std::array<std::string, names.size()> music;
    while (bytes.any()) music[bytes.below(music.size())] += element(bytes);
    std::string list;
    std::string parts;
    for (std::size_t p = 0; p < names.size(); ++p) {
        list += fmt::format("<score-part id=\"{0}\"><part-name>{0}</part-name></score-part>", names[p]);
        parts += fmt::format(
            "<part id=\"{}\"><measure><attributes><divisions>1</divisions>{}</attributes>{}</measure>"
            "</part>",
            names[p], key, music[p]);
    }
    const std::string xml = fmt::format("<score-partwise><part-list>{}</part-list>{}</score-partwise>", list, parts);
    hmmlt::chorales::check_reading([&] { return hmmlt::chorales::parse_musicxml(xml); });
    return 0;
}
