#pragma once

#include <httplib.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace ictus::program {

/// Shows the run in one folder to browsers on this machine, while it goes on and after.
///
/// Below http://127.0.0.1:PORT/TOKEN/ are the page of the run, `revision` (a text that changes with the results),
/// `document` (what the page carries, as JSON) and `files/NAME` for each result file. Everything else is refused: other
/// methods than GET, other host names (a page from elsewhere whose name leads here), paths without the token, and files
/// that are no results or lead out of the folder. A request has one connection, at most 16 KiB and 5 seconds.
class RunServer : private httplib::Server {
 public:
  RunServer(std::filesystem::path folder, std::string token);

  /// Takes a port of 127.0.0.1, any free one for 0; returns it. Throws base::InputError when it cannot be had.
  int bind(int port);
  std::string address() const;
  /// Answers requests until stop(), which any thread may call.
  void serve();
  /// Returns once serve() answers.
  void wait_until_ready() const;
  void stop();

  /// The whole answer to a request, head and body.
  std::string answer(std::string_view request);

 private:
  bool process_and_close_socket(socket_t socket) override;
  HandlerResponse refuse_strangers(const httplib::Request& request, httplib::Response& response) const;
  void add_pages();
  void send_file(const std::string& name, httplib::Response& response) const;
  std::string revision() const;
  /// Page or document of the present revision, kept until the next one.
  std::shared_ptr<const std::string> page();
  std::shared_ptr<const std::string> document();
  void refresh();

  std::filesystem::path folder_;
  std::string token_;
  int port_ = 0;
  std::mutex mutex_;  // guards what follows
  std::string shown_revision_;
  std::shared_ptr<const std::string> page_;
  std::shared_ptr<const std::string> document_;
};

/// 128 random bits, as 32 hexadecimal digits.
std::string random_token();

}  // namespace ictus::program
