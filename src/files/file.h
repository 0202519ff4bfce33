#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace nmt {

/// The whole file. Throws Error that names the path and the reason, also when it has more bytes
/// than that: a path may name what never ends.
std::string read_file(const std::filesystem::path& path, size_t max_bytes = 256 << 20);

/// Creates a folder and those above it, where they are missing. Throws Error.
void make_folder(const std::filesystem::path& folder);

/// For an --output that is a model, a vocabulary or arrays: throws UsageError for standard output,
/// and Error when the path exists, unless `overwrite`, the flag of that name, was given, or when no
/// file can be written there.
void require_absent(const std::filesystem::path& path, bool overwrite);

/// Opens `unfinished`, NAME.partial or the like of the output `path`, to read and append, and
/// creates it if it does not exist. Throws Error unless it is a plain file of this user alone: in a
/// folder that others write to it may be a link to a file that is worth more. Returns a descriptor.
int open_unfinished(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Waits until the file's content, or a folder's names, are on the disk. Throws Error.
void sync_to_disk(const std::filesystem::path& path);

/// The file that symbolic links lead to, whether or not it exists; any other path is its own
/// target. Throws Error for a circle of links.
std::filesystem::path link_target(const std::filesystem::path& path);

/// Whether the name of a file ends in .gz, in capitals too.
bool is_gzip_name(const std::filesystem::path& path);

/// The path without .gz at its end, whose extension names the format of the content.
std::filesystem::path uncompressed_name(const std::filesystem::path& path);

/// Whether a name consists of a prefix and a number, of a process for example.
bool is_numbered(const std::string& name, const std::string& prefix);

/// True for a device or a pipe, also through symbolic links: renaming a file to its name would
/// replace it (as root also /dev/null).
bool is_written_in_place(const std::filesystem::path& path);

/// An input's name in messages: "-" is standard input.
std::string shown_name(const std::filesystem::path& path);

/// Whether the path is standard input ("-") or a pipe, which ends with its first reading.
bool is_readable_once(const std::filesystem::path& path);

/// Throws Error for a path that is_readable_once.
void require_rereadable(const std::vector<std::filesystem::path>& paths);

/// Whether both paths name one file, which need not exist; symbolic links are followed. Devices and
/// pipes are compared by name: outputs may share the terminal as /dev/stdout and /dev/stderr.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws UsageError if both are one file; the second may be empty, for none.
void require_two_outputs(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws UsageError if an output is one of the inputs, whose content would be lost. Empty paths
/// and
/// "-" are no files; what is_written_in_place is not replaced.
void require_not_input(const std::vector<std::filesystem::path>& outputs,
                       const std::vector<std::filesystem::path>& inputs);

/// The last line that is not blank, without white space around it. Throws Error.
std::string last_line(const std::filesystem::path& path);

/// Writes by way of a temporary file in the folder of the link_target, synced and renamed, so that
/// a crash or a full disk leaves the old file whole; straight into what is_written_in_place. Throws
/// Error that names the path and the reason.
///
/// `check` is given the temporary file, whole and synced, before it gets its name; when it throws,
/// nothing is replaced.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write,
                           const std::function<void(const std::filesystem::path&)>& check = {});
void write_file_atomically(const std::filesystem::path& path, const std::string& content);

/// Replaces `to` in the same way by a copy of `from`, of any size.
void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace nmt
