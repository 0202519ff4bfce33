#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "checkpoint/safetensors.h"

namespace nmt {

/// Writes float32 tensors as numpy.savez does: a zip archive (PKWARE's APPNOTE 6.3.x,
/// sections 4.3.7 to 4.3.16) whose entries NAME.npy are stored uncompressed, each an array of
/// numpy's format 1.0:
///
///   "\x93NUMPY" 1 0, uint16 length of the header; the header, a Python dictionary of descr,
///   fortran_order and shape, padded so that the data start on a multiple of 64; the data,
///   row-major
///
/// Throws Error when the archive would pass 4 GiB.
void write_npz(std::ostream& stream, const std::vector<NamedTensor>& tensors);

/// Reads back what write_npz wrote; other archives (compressed, other dtypes) are an Error.
std::vector<NamedTensor> read_npz(const std::filesystem::path& path);

}  // namespace nmt
