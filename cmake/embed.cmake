# Script behind ictus_embed(): writes OUT, a C++ file whose FUNCTION() returns the FILES as string views.
# The bytes become octal-free hexadecimal arrays: string literals have a length limit, arrays have none.
string(REGEX REPLACE "::[^:]*$" "" namespace ${FUNCTION})
string(REGEX REPLACE "^.*::" "" name ${FUNCTION})
set(arrays "")
set(entries "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  file(RELATIVE_PATH path ${BASE} ${file})
  string(APPEND arrays "constexpr unsigned char file_${index}[] = {${bytes}0};\n")
  string(APPEND entries "    {\"${path}\", view(file_${index}, sizeof file_${index} - 1)},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "// Made by cmake/embed.cmake.
#include <ictus/base/embedded.hpp>
#include <span>
namespace {
${arrays}
std::string_view view(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
const ictus::base::EmbeddedFile embedded_files[] = {
${entries}};
}  // namespace
namespace ${namespace} {
std::span<const ictus::base::EmbeddedFile> ${name}();
std::span<const ictus::base::EmbeddedFile> ${name}() { return embedded_files; }
}  // namespace ${namespace}
")
