#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// Reads the whole file. Throws Error that names the path and the reason, also beyond `max_bytes`:
/// the path may be a device without an end.
std::string read_file(const std::filesystem::path& path, size_t max_bytes = 256 << 20);

/// For an output that is a file: throws Error for an existing folder.
void require_no_folder(const std::filesystem::path& path);

/// Creates a folder and those above it, where they are missing. Throws Error.
void make_folder(const std::filesystem::path& folder);

/// For an --output that is a model, a vocabulary or arrays: throws UsageError for standard output,
/// and Error when the path exists, unless `overwrite`, the flag of that name, was given, or when no
/// file can be written there.
void require_absent(const std::filesystem::path& path, bool overwrite);

/// Opens `unfinished`, NAME.partial or the like of the output `path`, to read and append, and
/// creates it if it does not exist. Throws Error unless it is a plain file of this user alone: in a
/// folder that others write to it may be a link to a file that is worth more. Returns a descriptor.
///
/// The file is locked until the descriptor is closed, where the file system has locks. Throws Error
/// if another program has locked it. Rename or remove it before that: it may be another's next. Do
/// not write through another descriptor: on SMB, it would be locked out.
///
/// If it will replace a file, it gets that file's permissions and, where permitted, its owner and
/// group. Do not open it again with O_CREAT: in a folder such as /tmp, Linux then refuses files of
/// other owners (fs.protected_regular).
int open_unfinished(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Writes all of the bytes. Returns whether that succeeded; if not, errno tells why.
bool write_all(int descriptor, std::string_view bytes);

/// Reports a failed write as late as close() does, e.g. on NFS, without closing the descriptor.
/// Returns 0, or -1 with errno.
int flush_writes(int descriptor);

/// Like open_unfinished, but without a lock, and leaves the file empty and closed.
void create_unfinished(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Withdraws the permissions of a file or folder, `copy`, from its group and from all others if
/// these may not read one of the `originals`. Logs a warning if that fails.
void limit_readers(const std::filesystem::path& copy,
                   const std::vector<std::filesystem::path>& originals);

/// Waits until the file's content, or a folder's names, are on the disk. Throws Error.
void sync_to_disk(const std::filesystem::path& path);

/// The file that symbolic links lead to, whether or not it exists; any other path is its own
/// target. Throws Error for a circle of links, and for a link that another user may have planted:
/// Linux does not follow these either (fs.protected_symlinks).
std::filesystem::path link_target(const std::filesystem::path& path);

/// Whether the name of a file ends in .gz, in any case.
bool is_gzip_name(const std::filesystem::path& path);

/// The path without a final .gz, so that its extension tells the format of the content.
std::filesystem::path uncompressed_name(const std::filesystem::path& path);

/// Whether a name consists of the prefix and a decimal number, e.g. a process id.
bool is_numbered(const std::string& name, const std::string& prefix);

/// True for a device, a pipe or an open file without a name, also through symbolic links. Renaming
/// a file onto such a path would replace it (for root even /dev/null).
bool is_written_in_place(const std::filesystem::path& path);

/// An input's name in messages: "-" is standard input.
std::string shown_name(const std::filesystem::path& path);

/// Whether the path is standard input ("-"), a pipe or a socket, which can be read only once.
bool is_readable_once(const std::filesystem::path& path);

/// Throws Error for a path that is_readable_once.
void require_rereadable(const std::vector<std::filesystem::path>& paths);

/// Whether both paths name one file, which need not exist; symbolic links are followed. Devices and
/// pipes are compared by name: outputs may share the terminal as /dev/stdout and /dev/stderr.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws UsageError if both are one file; the second may be empty, for none.
void require_two_outputs(const std::filesystem::path& a, const std::filesystem::path& b);

/// Throws UsageError if an output is one of the inputs, whose content would be lost. Ignores empty
/// paths, "-" and outputs for which is_written_in_place() holds.
void require_not_input(const std::vector<std::filesystem::path>& outputs,
                       const std::vector<std::filesystem::path>& inputs);

/// The last line that is not blank, without white space around it. Throws Error.
std::string last_line(const std::filesystem::path& path);

/// Writes to a temporary file next to link_target(path), syncs and renames it, so that a crash or a
/// full disk leaves the old file intact. Writes directly if is_written_in_place(path). Throws Error
/// that names the path and the reason.
///
/// `check` receives the complete, synced temporary file before it is renamed. If it throws, nothing
/// is replaced.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write,
                           const std::function<void(const std::filesystem::path&)>& check = {});
void write_file_atomically(const std::filesystem::path& path, const std::string& content);

/// Replaces `to` by a copy of `from` in the same way; files may be of any size.
void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace nmt
