#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <set>
#include <vector>

#include "unit/program/served_run.hpp"

namespace ictus::program {
namespace {

using ictus::testing::Client;
using ictus::testing::revision_request;
using ictus::testing::ServedRun;
using ictus::testing::Serving;
using ictus::testing::token;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(RunServer, ShowsTheRunBelowItsToken) {
  ServedRun run;
  EXPECT_THAT(run.get("/" + token + "/"),
              AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("Served · Ictus"), HasSubstr("connect-src 'self'"),
                    HasSubstr("Cache-Control: no-store"), HasSubstr("Referrer-Policy: no-referrer")));
  EXPECT_THAT(run.get("/" + token + "/document"), HasSubstr("\"status\":\"unfinished\""));
  EXPECT_THAT(run.get("/" + token + "/files/history.csv"), HasSubstr("\r\n\r\ntime,energy.kinetic\n0,1"));
  EXPECT_THAT(run.get("/" + token + "/files/frames/frame_000000.vtu"), HasSubstr("a frame"));
  EXPECT_EQ(run.server.address(), "http://127.0.0.1:" + std::to_string(run.port) + "/" + token + "/");
}

TEST(RunServer, FollowsTheResults) {
  ServedRun run;
  const std::string revision = run.get("/" + token + "/revision");
  EXPECT_EQ(run.get("/" + token + "/revision"), revision);
  files::write_file(run.folder() / "history.csv", "time,energy.kinetic\n0,1\n1,2\n2,77.5\n");
  EXPECT_NE(run.get("/" + token + "/revision"), revision);
  EXPECT_THAT(run.get("/" + token + "/document"), HasSubstr("77.5"));
}

TEST(RunServer, TellsWhatIsWrongWithTheResults) {
  ServedRun run;
  files::write_file(run.folder() / "history.csv", "time\n0\nx\n");
  EXPECT_THAT(run.get("/" + token + "/"), AllOf(StartsWith("HTTP/1.1 503"), HasSubstr("history.csv")));
}

TEST(RunServer, AnswersNothingButGet) {
  ServedRun run;
  const std::string rest =
      " /" + token + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(run.port) + "\r\nContent-Length: 3\r\n\r\nabc";
  for (const char* method : {"HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "BREW", "get"}) {
    const std::string answer = run.server.answer(method + rest);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 4")) << method;
    EXPECT_THAT(answer, Not(HasSubstr("Served"))) << method;
  }
  EXPECT_THAT(run.server.answer("POST" + rest), AllOf(StartsWith("HTTP/1.1 405"), HasSubstr("Allow: GET")));
}

TEST(RunServer, AnswersToItsOwnNamesOnly) {
  ServedRun run;
  const std::string port = std::to_string(run.port);
  const auto ask = [&](const std::string& headers) {
    return run.server.answer("GET /" + token + "/ HTTP/1.1\r\n" + headers + "\r\n");
  };
  EXPECT_THAT(ask("Host: localhost:" + port + "\r\n"), StartsWith("HTTP/1.1 200"));
  for (const std::string& headers : std::initializer_list<std::string>{
           std::string(), "Host: example.org\r\n", "Host: example.org:" + port + "\r\n", "Host: 127.0.0.1\r\n",
           "Host: 127.0.0.1:1\r\n", "Host: 127.0.0.1:" + port + ".example.org\r\n",
           "Host: 127.0.0.1:" + port + "\r\nHost: example.org\r\n", "Host: 0.0.0.0:" + port + "\r\n",
           "Host: [::1]:" + port + "\r\n"}) {
    EXPECT_THAT(ask(headers), AllOf(StartsWith("HTTP/1.1 421"), Not(HasSubstr("Served")))) << headers;
  }
}

TEST(RunServer, NeedsTheToken) {
  ServedRun run;
  for (const std::string& path : {std::string("/"), "/" + token, "/" + token.substr(1) + "/", "//" + token + "/",
                                  "/0" + token + "/", "/" + token + "0/", std::string("/ffff/")}) {
    EXPECT_THAT(run.get(path), AllOf(StartsWith("HTTP/1.1 404"), Not(HasSubstr("Served")))) << path;
  }
}

TEST(RunServer, ServesNothingButResults) {
  ServedRun run;
  std::filesystem::create_symlink(run.temporary.path() / "secret.txt", run.folder() / "contacts.csv");
  std::filesystem::create_symlink("frame_000000.vtu", run.folder() / "frames/frame_000001.vtu");
  for (const char* name : {"../secret.txt",
                           "..%2fsecret.txt",
                           "%2e%2e/secret.txt",
                           "%2e%2e%2fsecret.txt",
                           "..%5csecret.txt",
                           "frames/../../secret.txt",
                           "frames/..%2f..%2fsecret.txt",
                           "%252e%252e%252fsecret.txt",
                           "./history.csv",
                           "/etc/passwd",
                           "%2fetc%2fpasswd",
                           "history.csv%00.txt",
                           "history.csv%00",
                           "notes.txt",
                           "contacts.csv",
                           "frames",
                           "frames/",
                           "",
                           "checkpoint.h5",
                           "frames/frame_1.vtu",
                           "frames/frame_000001.vtu",
                           "frames/frame_00000000.vtu",
                           "frames/frame_%30%30%30%30%30%31.vtu",
                           "HISTORY.CSV",
                           "history.csv/",
                           "history.csv/.",
                           "%c0%ae%c0%ae/secret.txt"}) {
    const std::string answer = run.get("/" + token + "/files/" + name);
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 404"), Not(HasSubstr("\r\n\r\nsecret")), Not(HasSubstr("root:"))))
        << name;
  }
  std::filesystem::rename(run.folder() / "frames", run.temporary.path() / "elsewhere");
  std::filesystem::create_symlink(run.temporary.path() / "elsewhere", run.folder() / "frames");
  EXPECT_THAT(run.get("/" + token + "/files/frames/frame_000000.vtu"), StartsWith("HTTP/1.1 404"));
}

TEST(RunServer, TwoHundredConnectionsAtOnce) {
  ServedRun run;
  const Serving serving(run.server);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 200; ++i) clients.push_back(std::make_unique<Client>(run.port));
  for (const auto& client : clients) EXPECT_TRUE(client->send(revision_request(run.port)));
  for (const auto& client : clients) EXPECT_THAT(client->receive(), StartsWith("HTTP/1.1 200"));
}

TEST(RunServer, LongHeadersAreRefused) {
  ServedRun run;
  const Serving serving(run.server);
  const std::string start = "GET /" + token + "/ HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(run.port) + "\r\n";
  const std::string long_line = "A: " + std::string(10'000'000, 'x') + "\r\n\r\n";
  std::string many_lines;
  for (int i = 0; i < 20'000; ++i) many_lines += "A: b\r\n";
  const std::string long_path = "GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\n\r\n";
  for (const std::string& request : {start + long_line, start + many_lines, long_path}) {
    const Client client(run.port);
    client.send(request);  // may fail: the server stops reading
    EXPECT_THAT(client.receive(), Not(HasSubstr("200 OK")));
  }
  const Client client(run.port);
  client.send(revision_request(run.port));
  EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 200"));
}

TEST(RandomToken, IsLongAndNeverTheSame) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(random_token());
  EXPECT_EQ(tokens.size(), 100u);
  EXPECT_EQ(tokens.begin()->size(), 32u);
}

}  // namespace
}  // namespace ictus::program
