#include "run_server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <ictus/base/error.hpp>
#include <ictus/files/result_files.hpp>
#include <ictus/report/page_template.hpp>
#include <ictus/report/report_page.hpp>
#include <thread>

namespace ictus::program {

namespace fs = std::filesystem;
namespace result_files = files::result_files;
using httplib::Request;
using httplib::Response;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t longest_request = 16384, longest_path = 256;
constexpr std::chrono::seconds longest_reading{5}, longest_writing{60};
/// Connections that are answered at once; the others wait for their turn.
constexpr std::size_t max_connections = 256;
constexpr int status_misdirected = 421;
constexpr std::string_view bad_request = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// A request that is all there, and what is answered.
class TextStream final : public httplib::Stream {
 public:
  explicit TextStream(std::string_view request) : rest_(request) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = rest_.copy(to, size);
    rest_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    answer_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { local(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { local(ip, port); }
  socket_t socket() const override { return INVALID_SOCKET; }

  std::string take_answer() { return std::move(answer_); }

 private:
  static void local(std::string& ip, int& port) {
    ip = "127.0.0.1";
    port = 0;
  }

  std::string_view rest_;
  std::string answer_;
};

/// Waits until the socket is ready for `events`; false when the time is over.
bool ready(socket_t socket, short events, Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  pollfd wait{socket, events, 0};
  return left > 0 && poll(&wait, 1, static_cast<int>(left)) > 0;
}

/// The head of a request; empty where the client sends none in time, or one that is too long.
std::string read_head(socket_t socket) {
  const Clock::time_point end = Clock::now() + longest_reading;
  std::string head;
  std::array<char, 4096> part;
  while (head.find("\r\n\r\n") == std::string::npos) {
    if (head.size() > longest_request || !ready(socket, POLLIN, end)) return {};
    const ssize_t count = recv(socket, part.data(), part.size(), MSG_DONTWAIT);
    if (count <= 0) return {};
    head.append(part.data(), static_cast<std::size_t>(count));
  }
  return head;
}

void write_all(socket_t socket, std::string_view text) {
  const Clock::time_point end = Clock::now() + longest_writing;
  while (!text.empty() && ready(socket, POLLOUT, end)) {
    const ssize_t count = send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

constexpr std::array served_files{result_files::scene,    result_files::summary, result_files::history,
                                  result_files::contacts, result_files::frames,  result_files::filtered};

/// Whether `name` is that of a result file; compared whole, so that no way of writing a path leads elsewhere.
bool is_result(std::string_view name) {
  if (std::find(served_files.begin(), served_files.end(), name) != served_files.end()) return true;
  const std::string folder = fmt::format("{}/", result_files::frame_folder);
  if (!name.starts_with(folder) || name.size() > folder.size() + 32) return false;
  const std::string_view frame = name.substr(folder.size());
  std::size_t number = 0;
  for (const char c : frame)
    if (c >= '0' && c <= '9') number = 10 * number + static_cast<std::size_t>(c - '0');
  return frame == result_files::frame(number);
}

void refuse(Response& response, int status, std::string_view reason) {
  response.status = status;
  response.set_content(fmt::format("{}\n", reason), "text/plain; charset=utf-8");
}

/// As it is: the network does not leave this machine, and compression would take longer than it saves.
void send(std::shared_ptr<const std::string> text, const char* type, Response& response) {
  const std::size_t size = text->size();
  response.set_content_provider(
      size, type, [text = std::move(text)](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(text->data() + offset, length);
      });
}

/// In a time that does not tell how much of it is right.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

RunServer::RunServer(fs::path folder, std::string token) : folder_(std::move(folder)), token_(std::move(token)) {
  new_task_queue = [] { return new httplib::ThreadPool(max_connections); };
  set_default_headers({{"Cache-Control", "no-store"},
                       {"X-Content-Type-Options", "nosniff"},
                       {"X-Frame-Options", "DENY"},
                       {"Referrer-Policy", "no-referrer"},
                       {"Cross-Origin-Resource-Policy", "same-origin"}});
  set_pre_routing_handler(
      [this](const Request& request, Response& response) { return refuse_strangers(request, response); });
  set_exception_handler([](const Request&, Response& response, std::exception_ptr failure) {
    try {
      std::rethrow_exception(std::move(failure));
    } catch (const std::exception& error) {
      refuse(response, 503, error.what());
    }
  });
  add_pages();
}

void RunServer::add_pages() {
  Get("/[0-9a-f]+/",
      [this](const Request&, Response& response) { send(page(), "text/html; charset=utf-8", response); });
  Get("/[0-9a-f]+/revision",
      [this](const Request&, Response& response) { response.set_content(revision(), "text/plain; charset=utf-8"); });
  Get("/[0-9a-f]+/document",
      [this](const Request&, Response& response) { send(document(), "application/json", response); });
  Get("/[0-9a-f]+/files/.*", [this](const Request& request, Response& response) {
    send_file(request.path.substr(token_.size() + std::string_view("//files/").size()), response);
  });
}

RunServer::HandlerResponse RunServer::refuse_strangers(const Request& request, Response& response) const {
  const std::string host = request.get_header_value("Host");
  const std::string_view path = request.path;
  const bool has_token = path.size() > token_.size() + 1 && path.front() == '/' && path[token_.size() + 1] == '/' &&
                         same(path.substr(1, token_.size()), token_);
  if (request.method != "GET") {
    response.set_header("Allow", "GET");
    refuse(response, 405, "Only GET is answered here.");
  } else if (request.get_header_value_count("Host") != 1 ||
             (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))) {
    refuse(response, status_misdirected, "This server answers to 127.0.0.1 and localhost only.");
  } else if (path.size() > longest_path) {
    refuse(response, 414, "No address here is that long.");
  } else if (!has_token) {
    refuse(response, 404, "Open the whole address that `ictus view` printed.");
  } else {
    return HandlerResponse::Unhandled;
  }
  return HandlerResponse::Handled;
}

void RunServer::send_file(const std::string& name, Response& response) const {
  const fs::path file = folder_ / name;
  std::error_code missing;
  const bool inside = is_result(name) && fs::is_regular_file(fs::symlink_status(file, missing)) &&
                      !fs::is_symlink(fs::symlink_status(file.parent_path(), missing));
  std::ifstream content(inside ? file : fs::path(), std::ios::binary);
  if (!content) return refuse(response, 404, "There is no such result.");
  response.set_content({std::istreambuf_iterator<char>(content), {}}, "application/octet-stream");
}

int RunServer::bind(int port) {
  port_ = port == 0 ? bind_to_any_port("127.0.0.1") : bind_to_port("127.0.0.1", port) ? port : -1;
  if (port_ <= 0) throw base::InputError({"", 0, "--port", fmt::format("port {} is taken or not allowed", port)});
  ::listen(svr_sock_, static_cast<int>(max_connections));  // the library lets five wait, and the sixth for seconds
  return port_;
}

std::string RunServer::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

void RunServer::serve() { listen_after_bind(); }

void RunServer::wait_until_ready() const {
  while (!is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void RunServer::stop() { Server::stop(); }

std::string RunServer::answer(std::string_view request) {
  TextStream stream(request);
  bool closed = false;
  process_request(stream, true, closed, nullptr);
  return stream.take_answer();
}

bool RunServer::process_and_close_socket(socket_t socket) {
  try {
    const std::string head = read_head(socket);
    write_all(socket, head.empty() ? std::string(bad_request) : answer(head));
  } catch (const std::exception&) {
    write_all(socket, bad_request);
  }
  shutdown(socket, SHUT_RDWR);
  close(socket);
  return true;
}

std::string RunServer::revision() const {
  std::string text;
  for (const std::string_view name : served_files) {
    std::error_code missing;
    const auto size = fs::file_size(folder_ / name, missing);
    const auto changed = fs::last_write_time(folder_ / name, missing);
    text += missing ? std::string("-") : fmt::format("{:x}.{:x}-", size, changed.time_since_epoch().count());
  }
  return text;
}

void RunServer::refresh() {
  std::string now = revision();
  if (now == shown_revision_) return;
  report::Document run = report::report_document(folder_, report::RunState::unfinished);
  run["live"] = {{"revision", now}};
  page_ = std::make_shared<std::string>(report::fill_page(report::report_title(run), run, true));
  document_ = std::make_shared<std::string>(report::json_text(run));
  shown_revision_ = std::move(now);
}

std::shared_ptr<const std::string> RunServer::page() {
  const std::lock_guard lock(mutex_);
  refresh();
  return page_;
}

std::shared_ptr<const std::string> RunServer::document() {
  const std::lock_guard lock(mutex_);
  refresh();
  return document_;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the system gives no random numbers");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace ictus::program
