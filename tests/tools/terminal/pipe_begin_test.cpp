// The first bytes of what is no file, and all that follows them.
#include "tools/terminal/pipe_begin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"

namespace gannet::tools {
namespace {

using ::testing::HasSubstr;

/// Two ends of a TCP connection of this machine.
struct Connection {
  Connection() {
    const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    here = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connected = ::bind(listening, any, size) == 0 && ::listen(listening, 1) == 0 &&
                ::getsockname(listening, any, &size) == 0 && ::connect(here, any, size) == 0;
    there = ::accept(listening, nullptr, nullptr);
    ::close(listening);
  }
  ~Connection() { ::close(here); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Ends it as a machine that breaks down does: with a reset.
  void reset() const {
    const linger at_once{1, 0};
    ::setsockopt(there, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    ::close(there);
  }

  int here = -1;
  int there = -1;
  bool connected = false;
};

std::string read_all(int descriptor) {
  std::string all;
  std::array<char, 7> some{};
  while (const std::size_t got = corpora::read_bytes(descriptor, "x", some.data(), some.size())) {
    all.append(some.data(), got);
  }
  return all;
}

TEST(PipeBegin, NoByteIsLost) {
  const Connection connection;
  ASSERT_TRUE(connection.connected);
  const std::string sent = "the first bytes, and those that follow";
  ASSERT_EQ(::send(connection.there, sent.data(), sent.size(), 0),
            static_cast<ssize_t>(sent.size()));
  EXPECT_EQ(test::read_file(pipe_begin(connection.here, "x", 9)), "the first");
  ::close(connection.there);
  EXPECT_EQ(read_all(connection.here), sent);
}

/// What came before is not all that there is: an end would be taken for one.
TEST(PipeBegin, AConnectionThatBreaksIsAnError) {
  const Connection connection;
  ASSERT_TRUE(connection.connected);
  const std::string sent = "the first";
  ASSERT_EQ(::send(connection.there, sent.data(), sent.size(), 0),
            static_cast<ssize_t>(sent.size()));
  EXPECT_EQ(test::read_file(pipe_begin(connection.here, "x", 9)), sent);
  connection.reset();
  EXPECT_THAT(test::message_of<IoError>([&] { read_all(connection.here); }),
              HasSubstr("x: cannot be read: "));
}

}  // namespace
}  // namespace gannet::tools
