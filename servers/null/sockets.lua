-- Shared code of null services: connections of a protocol that is spoken by a function, and a second port that tells what
-- clients do. Run by wrk's own LuaJIT, so that a service is nobody's runtime. See docs/services.md.
local ffi = require("ffi")
local counts = require("counts")

ffi.cdef([[
  int socket(int, int, int);
  int setsockopt(int, int, int, const void *, unsigned);
  int bind(int, const void *, unsigned);
  int getsockname(int, void *, unsigned *);
  int listen(int, int);
  int fcntl(int, int, ...);
  int accept(int, void *, void *);
  long recv(int, void *, unsigned long, int);
  long read(int, void *, unsigned long);
  long send(int, const void *, unsigned long, int);
  int close(int);
  void *memmove(void *, const void *, unsigned long);
  uint8_t *memchr(const uint8_t *, int, unsigned long);
  unsigned short htons(unsigned short);
  unsigned inet_addr(const char *);
  typedef struct { int fd; short events, revents; } pollfd_t;
]])
local mac = ffi.os == "OSX"
ffi.cdef("int poll(pollfd_t *, " .. (mac and "unsigned" or "unsigned long") .. ", int);")
ffi.cdef(mac
  and "typedef struct { unsigned char len, family; unsigned short port; unsigned addr; char zero[8]; } address_t;"
  or "typedef struct { unsigned short family, port; unsigned addr; char zero[8]; } address_t;")
local C = ffi.C

local AF_INET, SOCK_STREAM, TCP, NODELAY, POLLIN, POLLOUT = 2, 1, 6, 1, 1, 4
local SOL_SOCKET, REUSEADDR, AGAIN = mac and 0xffff or 1, mac and 4 or 2, mac and 35 or 11
local SETFL, NONBLOCK = 4, mac and 4 or 2048
-- Never waits, and no signal where the client has gone.
local AT_ONCE = mac and 0x80 or 0x4040
-- Connections, with the two listeners and stdin. What comes beyond is closed unanswered.
local MOST = 4096
-- Bytes read at once; the buffer grows for a message that is larger, up to the most. Beyond what is kept, buffers are
-- given back when they are empty.
local BATCH, MOST_HELD, KEPT = 16384, 32 * 1024 * 1024, 1024 * 1024
-- Milliseconds between attempts to take a client where the last one failed: too many files are open, say.
local PAUSE = 100

-- Clients are told this password, so that they are set up as for a real service. What it guards is nobody's.
local sockets = {
  PASSWORD = "null",
  -- The most bytes of a message or command. Protocols refuse longer ones.
  LONGEST = 16 * 1024 * 1024,
  -- With so many bytes to be sent a protocol answers no more until they are.
  FULL = 1024 * 1024,
  -- With so many a connection is closed: one message has too long an answer.
  MOST_ANSWERED = 64 * 1024 * 1024,
}
local name = "null service"

-- Ends the service with one line that says why.
function sockets.fail(text)
  io.stderr:write(name, ": ", text, "\n")
  os.exit(1)
end

local function check(result, what)
  if result < 0 then sockets.fail(what .. " failed with error " .. ffi.errno()) end
  return result
end

local function addressOf(host, port)
  local address = ffi.new("address_t")
  if mac then address.len = ffi.sizeof(address) end
  address.family, address.port, address.addr = AF_INET, C.htons(port), C.inet_addr(host)
  return address
end

local function listenAt(host, port)
  local one, size = ffi.new("int[1]", 1), ffi.new("unsigned[1]", ffi.sizeof("address_t"))
  local address = addressOf(host, port)
  local listener = check(C.socket(AF_INET, SOCK_STREAM, 0), "socket")
  check(C.setsockopt(listener, SOL_SOCKET, REUSEADDR, one, 4), "setsockopt")
  check(C.bind(listener, address, ffi.sizeof(address)), "listening on port " .. port)
  check(C.listen(listener, 1024), "listen")
  -- A client may have gone before it is taken.
  check(C.fcntl(listener, SETFL, ffi.cast("int", NONBLOCK)), "fcntl")
  check(C.getsockname(listener, address, size), "getsockname")
  return listener, C.htons(address.port)
end

local TOO_MUCH = {}

-- Throws, so that the connection is closed, where an answer has too many bytes.
function sockets.mayHold(bytes)
  if bytes > sockets.MOST_ANSWERED then error(TOO_MUCH, 0) end
end

-- Adds a text to what will be sent.
function sockets.put(conn, text)
  local length, filled = #text, conn.filled
  if filled + length > conn.room then
    sockets.mayHold(filled + length)
    conn.room = 2 * (filled + length)
    local larger = ffi.new("uint8_t[?]", conn.room)
    ffi.copy(larger, conn.output, filled)
    conn.output = larger
  end
  ffi.copy(conn.output + filled, text, length)
  conn.filled = filled + length
end

-- The control connection: a line a command, a line each answer.
local control, kindNames = { open = function() end }, {}
function control.read(conn, bytes, length)
  local text, used = ffi.string(bytes, length), 0
  for line, past in text:gmatch("([^\r\n]*)\r?\n()") do
    used = past - 1
    sockets.put(conn, counts.answer(line, kindNames))
  end
  conn.flush = true
  -- No line is so long.
  if length - used > 100 then conn.closing = true end
  return used
end

local polled, conns, count = ffi.new("pollfd_t[?]", MOST), {}, 3

-- False once the connection is over. A client that does not read is not read from.
local function send(conn, poll)
  while conn.sent < conn.filled do
    local sent = tonumber(C.send(conn.fd, conn.output + conn.sent, conn.filled - conn.sent, AT_ONCE))
    if sent < 0 then
      poll.events = POLLOUT
      return ffi.errno() == AGAIN
    end
    conn.sent = conn.sent + sent
    conn.counts.bytes_out = conn.counts.bytes_out + sent
  end
  conn.filled, conn.sent, conn.flush, poll.events = 0, 0, false, conn.more and POLLOUT or POLLIN
  if conn.room > KEPT then conn.output, conn.room = ffi.new("uint8_t[?]", BATCH), BATCH end
  return not conn.closing
end

-- Gives the input a buffer of another size. It has one byte more: texts in it end at a zero at the latest.
local function resize(conn, size)
  local other = ffi.new("uint8_t[?]", size + 1)
  ffi.copy(other, conn.input, conn.have)
  conn.input, conn.size = other, size
end

-- What the protocol makes of an error it threw: the bytes that were used, or false where the connection is over.
local function failed(conn, wrong, bytes)
  local used = conn.protocol.failed and conn.protocol.failed(conn, wrong, bytes)
  if used then return used end
  if wrong ~= TOO_MUCH then io.stderr:write(name, ": ", tostring(wrong), "\n") end
  return false
end

-- Has the protocol answer what has come. It leaves some where there is much to be sent before.
local function answer(conn)
  conn.input[conn.have] = 0
  local used = 0
  repeat
    local bytes = conn.input + used
    local fine, more = pcall(conn.protocol.read, conn, bytes, conn.have - used)
    if not fine then
      local told
      told, more = pcall(failed, conn, more, bytes)
      if not told or not more then return false end
    end
    used = used + more
  until fine
  local left = conn.have - used
  if used > 0 and left > 0 then C.memmove(conn.input, conn.input + used, left) end
  conn.have, conn.more = left, conn.filled >= sockets.FULL and not conn.closing
  if conn.more then conn.flush = true end
  if left == 0 and conn.size > KEPT then resize(conn, BATCH) end
  return true
end

local function receive(conn)
  if conn.have == conn.size then
    if conn.size >= MOST_HELD then return false end
    resize(conn, 2 * conn.size)
  end
  local got = tonumber(C.recv(conn.fd, conn.input + conn.have, conn.size - conn.have, AT_ONCE))
  if got <= 0 then return got < 0 and ffi.errno() == AGAIN end
  conn.counts.bytes_in = conn.counts.bytes_in + got
  conn.have = conn.have + got
  return answer(conn)
end

-- One turn of a connection that has something for us or can be written to.
local function turn(conn, poll)
  if conn.more and conn.filled == 0 then
    poll.events = POLLIN
    if not answer(conn) then return false end
  elseif poll.events == POLLIN and not conn.closing and not receive(conn) then
    return false
  end
  if conn.flush and conn.filled > 0 then
    if conn.asked then
      conn.counts.round_trips, conn.asked = conn.counts.round_trips + 1, false
    end
    return send(conn, poll)
  end
  return not conn.closing
end

local function drop(n)
  local conn = conns[n]
  C.close(conn.fd)
  counts.gone(conn)
  count = count - 1
  conns[n] = conns[count]
  conns[count] = nil
  polled[n].fd, polled[n].events, polled[n].revents = polled[count].fd, polled[count].events, polled[count].revents
end

-- Takes a client of one of the listeners. Where that fails none is looked for until the next pause is over.
local failedAt = nil
local function accept(place, protocol)
  local fd = C.accept(polled[place].fd, nil, nil)
  if fd < 0 then
    if ffi.errno() ~= AGAIN then polled[0].events, polled[1].events, failedAt = 0, 0, os.time() end
    return
  end
  if count == MOST then return C.close(fd) end
  C.setsockopt(fd, TCP, NODELAY, ffi.new("int[1]", 1), 4)
  local conn = {
    fd = fd, protocol = protocol, counts = counts.of(""), admitted = false, asked = false, flush = false, closing = false,
    input = ffi.new("uint8_t[?]", BATCH + 1), size = BATCH, have = 0, more = false,
    output = ffi.new("uint8_t[?]", 4096), room = 4096, filled = 0, sent = 0,
  }
  conns[count] = conn
  polled[count].fd, polled[count].events, polled[count].revents = fd, POLLIN, 0
  count = count + 1
  protocol.open(conn)
  if conn.flush and not send(conn, polled[count - 1]) then drop(count - 1) end
end

-- Looks for clients again.
local function goOn() polled[0].events, polled[1].events, failedAt = POLLIN, POLLIN, nil end

-- An option of the service: wrk takes them as headers, `-H "connections: 100"`.
function sockets.option(key, otherwise) return wrk.headers[key] or otherwise end

-- Serves for ever where wrk's URL points to. Options: `control`, its port (any free one); `connections`, the most there
-- may be; `end: stdin` ends it when stdin is closed.
function sockets.serve(service)
  name, kindNames = service.name, service.kinds or {}
  counts.limit(tonumber(sockets.option("connections", service.connections)))
  local listener, port = listenAt(wrk.host, tonumber(wrk.port))
  local second, controlPort = listenAt("127.0.0.1", tonumber(sockets.option("control", 0)))
  polled[0].fd, polled[0].events = listener, POLLIN
  polled[1].fd, polled[1].events = second, POLLIN
  polled[2].fd, polled[2].events = sockets.option("end") == "stdin" and 0 or -1, POLLIN
  io.stdout:write(('{"event":"ready","port":%d,"version":"%s","facts":{},"counts":%d,"env":{"%s":"%s"}}\n'):format(
    port, service.version, controlPort, service.variable, sockets.PASSWORD))
  io.stdout:flush()
  local scratch = ffi.new("char[64]")
  while true do
    local ready = C.poll(polled, count, failedAt and PAUSE or -1)
    if failedAt and (ready == 0 or failedAt ~= os.time()) then goOn() end
    if ready > 0 then
      local n = 3
      while n < count do
        if polled[n].revents == 0 or turn(conns[n], polled[n]) then
          n = n + 1
        else
          drop(n)
        end
      end
      if polled[0].revents ~= 0 then accept(0, service) end
      if polled[1].revents ~= 0 then accept(1, control) end
      if polled[2].revents ~= 0 and C.read(0, scratch, 64) <= 0 then os.exit(0) end
    end
  end
end

return sockets
