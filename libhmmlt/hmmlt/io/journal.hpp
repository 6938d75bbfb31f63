// What a long run has found so far, on disk: records that are only ever appended, each sealed by a hash over all before
// it. A mark says how far a checkpoint trusts the journal; what lies beyond belongs to a run that was cut short.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hmmlt {

struct JournalMark {
    std::uint64_t n_bytes = 0;
    std::string hash;  // of the last record; empty for an empty journal

    bool operator==(const JournalMark&) const = default;
};

class Journal {
  public:
    // Opens the file, or makes it, and cuts off what lies beyond the mark. Throws DataError if it ends before the mark
    // or does not have its hash there, IoError if the system refuses.
    Journal(std::filesystem::path path, const JournalMark& mark);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    void append(std::string_view record);
    // Everything appended is on disk when this returns. Throws IoError (a full disk); what was marked before is intact.
    JournalMark sync();

  private:
    void flush();

    std::filesystem::path path_;
    int fd_ = -1;
    std::string pending_;
    JournalMark mark_;  // of everything appended, on disk or not
};

// Calls f with each record up to the mark, in order. Throws as the constructor does.
void read_journal(const std::filesystem::path& path, const JournalMark& mark,
                  const std::function<void(std::string_view record)>& f);

}  // namespace hmmlt
