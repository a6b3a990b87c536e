-- Sockets and clocks of the system for programs that wrk's LuaJIT runs: they poll their core and use IPv4.
local ffi = require("ffi")
local mac = ffi.os == "OSX"
ffi.cdef([[
  int socket(int, int, int);
  int socketpair(int, int, int, int *);
  int setsockopt(int, int, int, const void *, unsigned);
  int bind(int, const void *, unsigned);
  int listen(int, int);
  int accept(int, void *, void *);
  int connect(int, const void *, unsigned);
  long recv(int, void *, unsigned long, int);
  long send(int, const void *, unsigned long, int);
  int shutdown(int, int);
  int close(int);
  unsigned short htons(unsigned short);
  unsigned inet_addr(const char *);
  typedef struct { int fd; short events, revents; } pollfd_t;
  typedef struct { long sec, nsec; } timespec_t;
  int clock_gettime(int, timespec_t *);
]])
ffi.cdef("int poll(pollfd_t *, " .. (mac and "unsigned" or "unsigned long") .. ", int);")
ffi.cdef(mac
  and "typedef struct { unsigned char len, family; unsigned short port; unsigned addr; char zero[8]; } address_t;"
  or "typedef struct { unsigned short family, port; unsigned addr; char zero[8]; } address_t;")
local C = ffi.C

local AF_INET, STREAM, TCP, NODELAY = 2, 1, 6, 1
local SOL_SOCKET, REUSEADDR = mac and 0xffff or 1, mac and 4 or 2
local loopback = {
  MONOTONIC = mac and 6 or 1, REALTIME = 0,
  POLLIN = 1, POLLOUT = 4,
  AGAIN = mac and 35 or 11,
  -- The name of the program in messages: each sets its own.
  name = "wrk",
  -- Never waits, and no signal where the other end has gone.
  AT_ONCE = mac and 0x80 or 0x4040,
  -- Never waits, and leaves what it reads to be read again.
  PEEK = mac and 0x82 or 0x42,
}

local function check(result, what)
  if result < 0 then
    io.stderr:write(loopback.name, ": ", what, " failed with error ", ffi.errno(), "\n")
    os.exit(1)
  end
  return result
end

-- The address that wrk's URL names.
local address, one = ffi.new("address_t"), ffi.new("int[1]", 1)
if mac then address.len = ffi.sizeof(address) end
address.family, address.port, address.addr = AF_INET, C.htons(tonumber(wrk.port)), C.inet_addr(wrk.host)

-- Sends at once, and waits for no more to send.
function loopback.at_once(fd)
  C.setsockopt(fd, TCP, NODELAY, one, 4)
  return fd
end

-- Returns a socket, and whether it is connected to the address, or to another port there.
function loopback.connect(port)
  local fd = loopback.at_once(check(C.socket(AF_INET, STREAM, 0), "socket"))
  address.port = C.htons(port or tonumber(wrk.port))
  return fd, C.connect(fd, address, ffi.sizeof(address)) == 0
end

-- Returns a socket that listens at the address.
function loopback.listen()
  local listener = check(C.socket(AF_INET, STREAM, 0), "socket")
  check(C.setsockopt(listener, SOL_SOCKET, REUSEADDR, one, 4), "setsockopt")
  check(C.bind(listener, address, ffi.sizeof(address)), "bind")
  check(C.listen(listener, 1024), "listen")
  return listener
end

-- Returns both ends of a connection with itself.
local ends = ffi.new("int[2]")
function loopback.pair()
  check(C.socketpair(1, STREAM, 0, ends), "socketpair")
  return ends[0], ends[1]
end

-- Returns microseconds of a clock.
local spec = ffi.new("timespec_t")
function loopback.clock_us(which)
  C.clock_gettime(which, spec)
  return tonumber(spec.sec) * 1e6 + tonumber(spec.nsec) * 1e-3
end

return loopback
