-- A server that does nothing, run by wrk's LuaJIT so that no measured runtime serves it: it answers each piece of data that
-- arrives with one fixed reply, unread, and a long request when all of it has come. The rate a load generator reaches
-- against it is the generator's ceiling. Right only for clients that send one whole request and wait.
--
-- wrk -s null-server.lua URL     listens where the URL points to; wrk never gets to load it, since this file never ends
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local bit = require("bit")
local loopback = require("loopback")
local C, POLLIN = ffi.C, loopback.POLLIN
local NOSIGNAL = ffi.os == "OSX" and 0 or 0x4000
local MOST = 4096

loopback.name = "null server"
local listener = loopback.listen()

local BODY = "{}"
-- ab keeps a connection only if the reply says so.
local REPLY = "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-type: application/json\r\ncontent-length: " .. #BODY .. "\r\n\r\n" .. BODY
local SIZE = 65536
local buffer = ffi.new("char[?]", SIZE)
local polled = ffi.new("pollfd_t[?]", MOST)
polled[0].fd, polled[0].events = listener, POLLIN
local count = 1

-- Requests that come in more than one piece are longer than this.
local LONG = 4096
-- Bytes of a long request that are still to come, by connection.
local due = {}

-- Returns the number of bytes still to come after a piece of a request.
local function left(fd, got)
  if got < LONG and not due[fd] then return 0 end
  local before = due[fd]
  if not before then
    local text = ffi.string(buffer, got)
    local _, head = text:find("\r\n\r\n", 1, true)
    before = head and head + (tonumber(text:sub(1, head):lower():match("\r\ncontent%-length: *(%d+)")) or 0) or got
  end
  due[fd] = before > got and before - got or nil
  return due[fd] or 0
end

-- No connection is taken while there are as many as there may be, nor for a while after none could be.
local RETRY_MS = 100
local is_refused = false

while true do
  polled[0].fd = count < MOST and not is_refused and listener or -1
  local found = C.poll(polled, count, is_refused and RETRY_MS or -1)
  is_refused = false
  if found > 0 then
    local n = 1
    while n < count do
      if polled[n].revents ~= 0 then
        local fd = polled[n].fd
        local got = tonumber(C.recv(fd, buffer, SIZE, 0))
        if got > 0 and (left(fd, got) > 0 or C.send(fd, REPLY, #REPLY, NOSIGNAL) > 0) then
          n = n + 1
        else
          due[fd] = nil
          C.close(fd)
          count = count - 1
          polled[n].fd, polled[n].revents = polled[count].fd, polled[count].revents
        end
      else
        n = n + 1
      end
    end
    if bit.band(polled[0].revents, POLLIN) ~= 0 then
      local fd = C.accept(listener, nil, nil)
      is_refused = fd < 0
      if not is_refused then
        loopback.at_once(fd)
        polled[count].fd, polled[count].events, polled[count].revents = fd, POLLIN, 0
        count = count + 1
      end
    end
  end
end
