-- A WebSocket server that does nothing, run by wrk's LuaJIT: it sends each message back, or with `rooms` to all connections
-- with the same path. The rate that the WebSocket generator reaches against it is that generator's ceiling. It answers other
-- requests with an empty reply.
--
-- wrk -s null-websocket.lua [-H "rooms: 1"] URL     listens where the URL points to, and never ends
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local loopback = require("loopback")
local ready = require("ready")
local frames = require("frames")
local C, AGAIN, AT_ONCE = ffi.C, loopback.AGAIN, loopback.AT_ONCE

loopback.name = "null server"
local listener = loopback.listen()
ready.add(listener, listener)

local SIZE = 4194304
local buffer = ffi.new("unsigned char[?]", SIZE)
local chars = ffi.typeof("const unsigned char *")
local conns, rooms, by_path = {}, {}, wrk.headers["rooms"] ~= nil

-- Bytes that cannot be sent at once are kept.
local function send(conn, from, length)
  if conn.rest then
    conn.rest = conn.rest .. ffi.string(from, length)
    return
  end
  local sent = math.max(0, tonumber(C.send(conn.fd, from, length, AT_ONCE)))
  if sent < length then
    conn.rest = ffi.string(from + sent, length - sent)
    ready.writes(conn.fd, conn.fd, true)
  end
end

local function drop(conn)
  ready.drop(conn.fd, conn.fd)
  C.close(conn.fd)
  conns[conn.fd] = nil
  for n, member in ipairs(conn.room and conn.room.members or {}) do
    if member == conn then return table.remove(conn.room.members, n) end
  end
end

-- Answers a request once its head has come.
local function answer(conn, have)
  local head = ffi.string(buffer, have)
  if not head:find("\r\n\r\n", 1, true) then
    conn.kept = head
    return
  end
  local key = head:lower():find("\nsec-websocket-key:", 1, true)
  key = key and head:match(": *([^\r ]+)", key)
  local text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
  if key then
    text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
      .. frames.accept(key) .. "\r\n\r\n"
    conn.open = true
  end
  if key and by_path then
    local path = head:match("^%S+ (%S+)")
    rooms[path] = rooms[path] or { members = {}, out = ffi.new("unsigned char[?]", SIZE), filled = 0 }
    conn.room = rooms[path]
    table.insert(conn.room.members, conn)
  end
  send(conn, ffi.cast(chars, text), #text)
end

local function flush(room)
  for _, member in ipairs(room.members) do send(member, room.out, room.filled) end
  room.filled = 0
end

local function turn(conn)
  if conn.rest then
    local rest = conn.rest
    conn.rest = false
    ready.writes(conn.fd, conn.fd, false)
    send(conn, ffi.cast(chars, rest), #rest)
  end
  local kept = #conn.kept
  if kept > 0 then ffi.copy(buffer, conn.kept, kept) end
  local got = tonumber(C.recv(conn.fd, buffer + kept, 262144, AT_ONCE))
  if got <= 0 then return got == 0 or ffi.errno() ~= AGAIN end
  if kept > 0 then conn.kept = "" end
  local have = kept + got
  if not conn.open then return answer(conn, have) end
  local made, read, kind = frames.unmasked(buffer, have)
  if read < have then conn.kept = ffi.string(buffer + read, have - read) end
  if kind ~= frames.CLOSE and conn.room then
    if conn.room.filled + made > SIZE then flush(conn.room) end
    ffi.copy(conn.room.out + conn.room.filled, buffer, made)
    conn.room.filled = conn.room.filled + made
  else
    send(conn, buffer, made)
  end
  return kind == frames.CLOSE
end

while true do
  for n = 0, ready.wait(-1) - 1 do
    local fd = ready.place(n)
    if fd == listener then
      fd = loopback.at_once(C.accept(listener, nil, nil))
      conns[fd] = { fd = fd, kept = "", open = false, room = nil, rest = false }
      ready.add(fd, fd)
    elseif turn(conns[fd]) then
      drop(conns[fd])
    end
  end
  for _, room in pairs(rooms) do
    if room.filled > 0 then flush(room) end
  end
end
