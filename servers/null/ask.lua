-- A client without a driver: it sends the same bytes over and over, on each connection as soon as the last reply is there,
-- and counts. So it finds the most a service can answer. Run by wrk's LuaJIT. See docs/services.md.
--
-- wrk -s ask.lua -H "hello: HEX" -H "ask: HEX" [-H "connections: 10"] [-H "ms: 1000"] http://127.0.0.1:PORT
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local sockets = require("sockets")
local C = ffi.C

ffi.cdef([[
  typedef struct { long seconds, nanoseconds; } moment_t;
  int clock_gettime(int, moment_t *);
]])

local QUIET_MS, POLLIN = 100, 1
local CLOCK = ffi.os == "OSX" and 6 or 1
local moment = ffi.new("moment_t")
local function nowUs()
  C.clock_gettime(CLOCK, moment)
  return tonumber(moment.seconds) * 1e6 + tonumber(moment.nanoseconds) / 1e3
end

local function bytesOf(name)
  return (sockets.option(name, ""):gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end
local hello, ask = bytesOf("hello"), bytesOf("ask")
local connections, ms = tonumber(sockets.option("connections", 10)), tonumber(sockets.option("ms", 1000))
local buffer, polled = ffi.new("char[65536]"), ffi.new("pollfd_t[?]", connections)

local function send(n, bytes)
  if C.send(polled[n].fd, bytes, #bytes, 0) ~= #bytes then sockets.fail("sending failed with error " .. ffi.errno()) end
end

-- Bytes that are there; it fails once the service has closed.
local function received(n)
  local got = tonumber(C.recv(polled[n].fd, buffer, 65536, 0))
  if got <= 0 then sockets.fail("the service closed a connection") end
  return got
end

-- The length of a whole reply: what comes until nothing more does.
local function lengthOf(n, bytes)
  if #bytes == 0 then return 0 end
  send(n, bytes)
  local all, one = 0, polled + n
  while C.poll(one, 1, all == 0 and 5000 or QUIET_MS) > 0 do all = all + received(n) end
  if all == 0 then sockets.fail("the service does not answer") end
  return all
end

local length = 0
for n = 0, connections - 1 do
  polled[n].fd, polled[n].events = sockets.connectTo(wrk.host, tonumber(wrk.port)), POLLIN
  lengthOf(n, hello)
  length = lengthOf(n, ask)
end

local asked, got = 0, ffi.new("unsigned[?]", connections)
local begun = nowUs()
for n = 0, connections - 1 do send(n, ask) end
local now = begun
while now - begun < ms * 1e3 do
  if C.poll(polled, connections, 1000) <= 0 then sockets.fail("the service does not answer") end
  for n = 0, connections - 1 do
    if polled[n].revents ~= 0 then
      got[n] = got[n] + received(n)
      if got[n] >= length then
        asked, got[n] = asked + 1, 0
        send(n, ask)
      end
    end
  end
  now = nowUs()
end
io.stdout:write(('{"asked":%d,"us":%d}\n'):format(asked, now - begun))
os.exit(0)
