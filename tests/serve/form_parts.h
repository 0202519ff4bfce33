#pragma once

#include <httplib.h>

#include <type_traits>
#include <vector>

// What cpp-httplib called MultipartFormData became UploadFormData; the old name is now something
// else.
namespace httplib {
struct UploadFormData;
}

namespace nmt {

template <typename New, typename Old, typename = void>
struct IfDefined {
  using Type = Old;
};
template <typename New, typename Old>
struct IfDefined<New, Old, std::enable_if_t<sizeof(New) != 0>> {
  using Type = New;
};

/// Parts of a form: name, content, file name and content type of each.
using FormParts = std::vector<IfDefined<httplib::UploadFormData, httplib::MultipartFormData>::Type>;

}  // namespace nmt
