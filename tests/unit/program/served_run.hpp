#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ictus/files/atomic_file.hpp>
#include <string>
#include <thread>

#include "../apps/ictus/run_server.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::testing {

inline const std::string token = "0123456789abcdef0123456789abcdef";

/// A folder with the results of a small run, and a server for it. The folder has a neighbour that nobody may see.
struct ServedRun {
  ServedRun() : server((make_results(), folder()), token), port(server.bind(0)) {}

  std::filesystem::path folder() const { return temporary.path() / "run"; }

  void make_results() const {
    std::filesystem::create_directories(folder() / "frames");
    files::write_file(temporary.path() / "secret.txt", "secret");
    files::write_file(folder() / "notes.txt", "secret");
    files::write_file(folder() / "scene.yaml", "title: Served\n");
    files::write_file(folder() / "history.csv", "time,energy.kinetic\n0,1\n1,2\n");
    files::write_file(folder() / "frames/frame_000000.vtu", "a frame");
  }

  std::string get(const std::string& path, const std::string& more = "") {
    return server.answer("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + more +
                         "\r\n");
  }

  TemporaryFolder temporary;
  program::RunServer server;
  int port;
};

/// The server at work, until the object goes.
struct Serving {
  explicit Serving(program::RunServer& served) : server(served), thread([&served] { served.serve(); }) {
    server.wait_until_ready();
  }
  ~Serving() {
    server.stop();
    thread.join();
  }
  program::RunServer& server;
  std::thread thread;
};

/// A connection to a port of this machine.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// False when the server does not listen any more.
  bool send(const std::string& text) const {
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }
  /// Everything until the server closes the connection.
  std::string receive() const {
    std::string text;
    char part[4096];
    for (ssize_t count; (count = recv(socket_, part, sizeof part, 0)) > 0;)
      text.append(part, static_cast<std::size_t>(count));
    return text;
  }

 private:
  int socket_;
};

inline std::string revision_request(int port) {
  return "GET /" + token + "/revision HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
}

}  // namespace ictus::testing
