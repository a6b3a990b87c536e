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

loopback.name = "null WebSocket server"
local listener = loopback.listen()
ready.add(listener, listener)

-- Bytes: of the buffer, of a read, of what a room collects, of a head and a payload at most, and of what is kept for a
-- client that reads too slowly.
local SIZE, READ, ROOM, HEAD, HELD = 4194304, 262144, 262144, 65536, 67108864
local LONGEST = SIZE - READ - 14
local WRITES, BOTH, RETRY_MS = 1, 2, 100
local TOO_LARGE = "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
local buffer = ffi.new("unsigned char[?]", SIZE)
local chars = ffi.typeof("const unsigned char *")
local conns, rooms, by_path = {}, {}, wrk.headers["rooms"] ~= nil

-- Bytes that cannot be sent at once are kept, and nothing is read before they are sent. A client that is too far behind is
-- broken off.
local function send(conn, from, length)
  local sent = 0
  if conn.held == 0 then
    sent = math.max(0, tonumber(C.send(conn.fd, from, length, AT_ONCE)))
    if sent == length then return end
    ready.only_writes(conn.fd, conn.fd)
  end
  conn.held, conn.last = conn.held + length - sent, conn.last + 1
  conn.queue[conn.last] = ffi.string(from + sent, length - sent)
  if conn.held > HELD then C.shutdown(conn.fd, BOTH) end
end

-- Sends what was kept. Returns false if nothing can be sent any more.
local function send_kept(conn)
  while conn.held > 0 do
    local text = conn.queue[conn.first]
    local rest = #text - conn.offset
    local sent = tonumber(C.send(conn.fd, ffi.cast(chars, text) + conn.offset, rest, AT_ONCE))
    if sent < 0 then return ffi.errno() == AGAIN end
    conn.held, conn.offset = conn.held - sent, conn.offset + sent
    if sent == rest then conn.queue[conn.first], conn.first, conn.offset = nil, conn.first + 1, 0 end
  end
  ready.writes(conn.fd, conn.fd, false)
  if conn.closing then C.shutdown(conn.fd, WRITES) end
  return true
end

local function leave(conn)
  local room = conn.room
  if not room then return end
  conn.room = false
  for n, member in ipairs(room.members) do
    if member == conn then table.remove(room.members, n) break end
  end
  if #room.members == 0 then rooms[room.path] = nil end
end

local function drop(conn)
  leave(conn)
  ready.drop(conn.fd, conn.fd)
  C.close(conn.fd)
  conns[conn.fd] = nil
end

-- Sends a connection's last bytes, and reads on until its client ends it: the system breaks off what was sent if a socket
-- is closed with bytes unread.
local function refuse(conn, text)
  leave(conn)
  send(conn, ffi.cast(chars, text), #text)
  conn.closing, conn.kept = true, ""
  if conn.held == 0 then C.shutdown(conn.fd, WRITES) end
end

-- Answers a request once its head has come. Returns how many bytes it read.
local function answer(conn, have)
  local head = ffi.string(buffer, have)
  local past = select(2, head:find("\r\n\r\n", 1, true))
  if (past or have) > HEAD then
    refuse(conn, TOO_LARGE)
    return have
  end
  if not past then
    conn.kept = head
    return have
  end
  head = head:sub(1, past)
  local key = head:lower():find("\nsec-websocket-key:", 1, true)
  key = key and head:match(": *([^\r ]+)", key)
  local text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
  if key then
    text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
      .. frames.accept(key) .. "\r\n\r\n"
    conn.open = true
  end
  if key and by_path then
    local path = head:match("^%S+ (%S+)") or ""
    rooms[path] = rooms[path] or { path = path, members = {}, out = ffi.new("unsigned char[?]", ROOM), filled = 0 }
    conn.room = rooms[path]
    table.insert(conn.room.members, conn)
  end
  send(conn, ffi.cast(chars, text), #text)
  return key and past or have
end

local function to_all(room, from, length)
  for _, member in ipairs(room.members) do send(member, from, length) end
end

local function flush(room)
  if room.filled > 0 then to_all(room, room.out, room.filled) end
  room.filled = 0
end

local function pass_on(room, made)
  if room.filled + made > ROOM then flush(room) end
  if made > ROOM then return to_all(room, buffer, made) end
  ffi.copy(room.out + room.filled, buffer, made)
  room.filled = room.filled + made
end

-- Reads what has come to a connection, and answers it. Returns true once the connection is over.
local function turn(conn)
  if conn.held > 0 then
    local is_open = send_kept(conn)
    if not is_open or conn.held > 0 then return not is_open end
  end
  local kept = #conn.kept
  if kept > 0 then ffi.copy(buffer, conn.kept, kept) end
  local got = tonumber(C.recv(conn.fd, buffer + kept, READ, AT_ONCE))
  if got <= 0 then return got == 0 or ffi.errno() ~= AGAIN end
  if conn.closing then return false end
  if kept > 0 then conn.kept = "" end
  local have = kept + got
  if not conn.open then
    local read = answer(conn, have)
    if read == have then return false end
    have = have - read
    C.memmove(buffer, buffer + read, have)
  end
  local made, read, code = frames.unmasked(buffer, have, LONGEST)
  if read < have then conn.kept = ffi.string(buffer + read, have - read) end
  if conn.room then pass_on(conn.room, made) elseif made > 0 then send(conn, buffer, made) end
  if code > 0 then
    if conn.room then flush(conn.room) end
    refuse(conn, frames.frame(frames.CLOSE, string.char(math.floor(code / 256), code % 256)))
  end
  return false
end

-- Takes a connection. Returns false if none can be taken now, as while the process has all the files it may open.
local function accept()
  local fd = C.accept(listener, nil, nil)
  if fd < 0 then return false end
  loopback.at_once(fd)
  if not ready.add(fd, fd) then return C.close(fd) == 0 end
  conns[fd] = {
    fd = fd, kept = "", open = false, closing = false, room = false,
    queue = {}, first = 1, last = 0, offset = 0, held = 0,
  }
  return true
end

local wait_ms = -1
while true do
  local found = ready.wait(wait_ms)
  if wait_ms > 0 then
    wait_ms = -1
    ready.add(listener, listener)
  end
  for n = 0, found - 1 do
    local fd = ready.place(n)
    if fd ~= listener then
      if turn(conns[fd]) then drop(conns[fd]) end
    elseif not accept() then
      ready.drop(listener, listener)
      wait_ms = RETRY_MS
    end
  end
  for _, room in pairs(rooms) do flush(room) end
end
