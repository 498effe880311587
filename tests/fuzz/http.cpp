#include "../apps/ictus/run_server.hpp"

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

namespace {

/// A folder of results beside one that nobody may see.
struct Served {
  Served() : server((make(), scratch.folder() / "run"), "0123456789abcdef0123456789abcdef") {}
  void make() const {
    std::filesystem::create_directories(scratch.folder() / "run/frames");
    scratch.put("secret.txt", "secret of the neighbour");
    scratch.put("run/scene.yaml", "title: Served\n");
    scratch.put("run/history.csv", "time,energy.kinetic\n0,1\n1,2\n");
  }

  Scratch scratch;
  program::RunServer server;
};

}  // namespace

void http(std::string_view bytes) {
  static Served served;
  const std::string answer = served.server.answer(bytes);
  demand(answer.find("secret of the neighbour") == std::string::npos, "only results are shown");
}

}  // namespace ictus::fuzz
