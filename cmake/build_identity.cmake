# Writes OUT with `ictus::observe::build_identity()`: VERSION, a digest of SOURCES, the COMPILER and its FLAGS. The digest
# is of what is compiled, so that it tells changes that were never committed and works without git.
set(digests "")
foreach(source ${SOURCES})
  file(SHA256 ${source} digest)
  file(RELATIVE_PATH name ${BASE} ${source})
  string(APPEND digests "${name} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
string(REGEX REPLACE " +" " " flags "${FLAGS}")
string(STRIP "${flags}" flags)
string(REPLACE "\\" "\\\\" flags "${flags}")
string(REPLACE "\"" "\\\"" flags "${flags}")
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#include <ictus/observe/checkpoint/build_identity.hpp>

namespace ictus::observe {

std::string_view build_identity() { return "@VERSION@, sources @digest@, @COMPILER@, @flags@"; }

}  // namespace ictus::observe
]])
