#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "unit/program/served_run.hpp"

namespace ictus::program {
namespace {

using ictus::testing::Client;
using ictus::testing::revision_request;
using ictus::testing::ServedRun;
using ictus::testing::Serving;
using ictus::testing::token;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Requests with random damage: bytes changed, left out, doubled, cut off, and pieces that parsers trip over put in.
class Damage {
 public:
  std::string next(std::string request) {
    static const std::vector<std::string> pieces = {"\r\n",
                                                    "\r\n\r\n",
                                                    "\n",
                                                    "%",
                                                    "%00",
                                                    "%2e%2e%2f",
                                                    "../",
                                                    "\\",
                                                    "Host: a\r\n",
                                                    "Range: bytes=0-,-1,5-2\r\n",
                                                    "Range: bytes=0-99999999999999999999\r\n",
                                                    "Content-Length: -1\r\n",
                                                    "Content-Length: 18446744073709551616\r\n",
                                                    "Transfer-Encoding: chunked\r\n",
                                                    "Expect: 100-continue\r\n",
                                                    "Connection: Upgrade\r\n",
                                                    "Accept-Encoding: gzip, br\r\n",
                                                    "?a=%&b=%zz&c",
                                                    "#",
                                                    "HTTP/9.9",
                                                    std::string(1, '\0'),
                                                    std::string(9000, 'a'),
                                                    "\xff\xfe"};
    for (std::size_t count = pick(6); count > 0; --count) {
      const std::size_t at = pick(request.size());
      switch (pick(5)) {
        case 0:
          if (!request.empty()) request[std::min(at, request.size() - 1)] = static_cast<char>(pick(255));
          break;
        case 1:
          request.erase(at, 1 + pick(20));
          break;
        case 2:
          request.insert(at, pieces[pick(pieces.size() - 1)]);
          break;
        case 3:
          request.insert(at, request.substr(at / 2, pick(40)));
          break;
        case 4:
          request.resize(at);
          break;
        default:
          request += "\r\n\r\n";
      }
    }
    return request;
  }
  /// 0 to `most`.
  std::size_t pick(std::size_t max_count) { return std::uniform_int_distribution<std::size_t>(0, max_count)(random_); }

 private:
  std::mt19937 random_{20240607};
};

TEST(RequestFuzz, NoRequestBreaksTheServerOrLeadsOut) {
  ServedRun run;
  const std::string host = " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(run.port) + "\r\n";
  const std::vector<std::string> sound = {
      "GET /" + token + "/revision" + host + "Accept: */*\r\nUser-Agent: fuzz\r\n\r\n",
      "GET /" + token + "/files/../secret.txt" + host + "\r\n",
      "GET /" + token + "/files/history.csv" + host + "Range: bytes=0-3\r\n\r\n",
      "POST /" + token + "/" + host +
          "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\na=b&c",
  };
  Damage damage;
  for (int i = 0; i < 30'000; ++i) {
    const std::string request = damage.next(sound[damage.pick(sound.size() - 1)]);
    EXPECT_THAT(run.server.answer(request), Not(HasSubstr("\r\n\r\nsecret"))) << request;
  }
  EXPECT_THAT(run.get("/" + token + "/revision"), StartsWith("HTTP/1.1 200"));
}

TEST(RequestFuzz, DamagedRequestsThroughTheSocket) {
  ServedRun run;
  const Serving serving(run.server);
  Damage damage;
  for (int i = 0; i < 300; ++i) {
    const Client client(run.port);
    client.send(damage.next(revision_request(run.port)) + "\r\n\r\n");
    client.receive();
  }
  const Client client(run.port);
  client.send(revision_request(run.port));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 200"));
}

TEST(SlowClients, DoNotKeepOthersWaitingAndAreSentAway) {
  ServedRun run;
  const Serving serving(run.server);
  std::vector<std::unique_ptr<Client>> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<Client>(run.port));
    slow.back()->send("GET /");
  }
  const auto start = std::chrono::steady_clock::now();
  const Client client(run.port);
  client.send(revision_request(run.port));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 200"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
  // A byte every second does not help beyond the five seconds that a request has.
  for (int second = 0; second < 7; ++second) {
    slow.front()->send("x");
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  for (const auto& one : slow) EXPECT_THAT(one->receive(), StartsWith("HTTP/1.1 400"));
}

}  // namespace
}  // namespace ictus::program
