-- A Redis that does nothing: it speaks RESP2 and RESP3 and answers with values made from keys. A driver is then the limit
-- of whoever asks, and what it asks is counted. See docs/services.md.
--
-- wrk -s redis.lua [-H "value-bytes: 100"] [-H "connections: 4000"] [-H "control: PORT"] http://127.0.0.1:PORT
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local sockets = require("sockets")

local put = sockets.put
local VALUE_BYTES = tonumber(sockets.option("value-bytes", 100))

local function bulk(text) return "$" .. #text .. "\r\n" .. text .. "\r\n" end
local function whole(number) return ":" .. number .. "\r\n" end
local OK, QUEUED = "+OK\r\n", "+QUEUED\r\n"
local WRONG = "-WRONGPASS invalid username-password pair or user is disabled.\r\n"

-- A client that names a user and a password must name the right ones; one that names none is served all the same.
local function isRight(user, password) return user == "default" and password == sockets.PASSWORD end

local function null(conn) return conn.resp3 and "_\r\n" or "$-1\r\n" end

-- The value of a key is the key with a colon over and over; keys that begin with "missing" have none.
local values, held = {}, 0
local function valueOf(conn, key)
  if key:sub(1, 7) == "missing" then return null(conn) end
  local value = values[key]
  if value == nil then
    local part = key .. ":"
    value = bulk(part:rep(math.ceil(VALUE_BYTES / #part)):sub(1, VALUE_BYTES))
    held = held + 1
    if held > 100000 then values, held = {}, 1 end
    values[key] = value
  end
  return value
end

local function keysThere(words)
  local count = 0
  for n = 2, #words do
    if words[n]:sub(1, 7) ~= "missing" then count = count + 1 end
  end
  return whole(count)
end

local function list(parts) return "*" .. #parts .. "\r\n" .. table.concat(parts) end

local function map(conn, pairs)
  local parts = {}
  for _, pair in ipairs(pairs) do
    table.insert(parts, bulk(pair[1]))
    table.insert(parts, pair[2])
  end
  return conn.resp3 and "%" .. #pairs .. "\r\n" .. table.concat(parts) or list(parts)
end

local INFO = "# Server\r\nredis_version:7.0.0\r\nredis_mode:standalone\r\n# Persistence\r\nloading:0\r\n" ..
  "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n# Keyspace\r\n"

-- Commands: the least and most words, and the reply. A reply that is false: there is no answer.
local commands = {
  PING = { 1, 2, function(conn, words) return words[2] and bulk(words[2]) or "+PONG\r\n" end },
  ECHO = { 2, 2, function(conn, words) return bulk(words[2]) end },
  GET = { 2, 2, function(conn, words) return valueOf(conn, words[2]) end },
  STRLEN = { 2, 2, function(conn, words) return whole(words[2]:sub(1, 7) == "missing" and 0 or VALUE_BYTES) end },
  EXISTS = { 2, 1e9, function(conn, words) return keysThere(words) end },
  DEL = { 2, 1e9, function(conn, words) return keysThere(words) end },
  UNLINK = { 2, 1e9, function(conn, words) return keysThere(words) end },
  INFO = { 1, 1e9, function() return bulk(INFO) end },
  COMMAND = { 1, 1e9, function(conn, words) return words[2] and words[2]:upper() == "COUNT" and whole(0) or "*0\r\n" end },
  QUIT = { 1, 1e9, function(conn)
    conn.closing = true
    return OK
  end },
  MGET = { 2, 1e9, function(conn, words)
    local parts = {}
    for n = 2, #words do parts[n - 1] = valueOf(conn, words[n]) end
    return list(parts)
  end },
  MSET = { 3, 1e9, function(conn, words)
    return #words % 2 == 1 and OK or "-ERR wrong number of arguments for 'mset' command\r\n"
  end },
  SELECT = { 2, 2, function(conn, words)
    local number = tonumber(words[2])
    if number == nil then return "-ERR value is not an integer or out of range\r\n" end
    if number < 0 or number > 15 then return "-ERR DB index is out of range\r\n" end
    sockets.regroup(conn, words[2])
    return OK
  end },
  AUTH = { 2, 3, function(conn, words)
    local user = words[3] and words[2] or "default"
    return isRight(user, words[#words]) and OK or WRONG
  end },
}

local SET_OPTIONS = { EX = 1, PX = 1, EXAT = 1, PXAT = 1, KEEPTTL = 0, XX = 0 }
commands.SET = { 3, 1e9, function(conn, words)
  local n = 4
  while n <= #words do
    local further = SET_OPTIONS[words[n]:upper()]
    if further == nil then return false end
    n = n + 1 + further
  end
  return OK
end }

commands.HELLO = { 1, 1e9, function(conn, words)
  if words[2] and words[2] ~= "2" and words[2] ~= "3" then
    return tonumber(words[2]) and "-NOPROTO unsupported protocol version\r\n"
      or "-ERR Protocol version is not an integer or out of range\r\n"
  end
  for n = 3, #words do
    if words[n]:upper() == "AUTH" and not isRight(words[n + 1], words[n + 2]) then return WRONG end
  end
  if words[2] then conn.resp3 = words[2] == "3" end
  return map(conn, {
    { "server", bulk("redis") }, { "version", bulk("7.0.0") }, { "proto", whole(conn.resp3 and 3 or 2) },
    { "id", whole(conn.fd) }, { "mode", bulk("standalone") }, { "role", bulk("master") }, { "modules", "*0\r\n" },
  })
end }

commands.CLIENT = { 2, 1e9, function(conn, words)
  local what = words[2]:upper()
  if what == "ID" then return whole(conn.fd) end
  if what == "GETNAME" then return conn.name and bulk(conn.name) or null(conn) end
  if what == "SETNAME" and words[3] then
    conn.name = words[3]
    return OK
  end
  -- Asked by redis; Redis 7 does not know it either.
  if what == "MAINT_NOTIFICATIONS" then return "-ERR unknown subcommand '" .. words[2] .. "'. Try CLIENT HELP.\r\n" end
  return (what == "SETINFO" or what == "NO-EVICT" or what == "NO-TOUCH") and OK
end }

-- Commands that are not queued in a transaction.
commands.MULTI = { 1, 1, function(conn)
  if conn.queue then return "-ERR MULTI calls can not be nested\r\n" end
  conn.queue, conn.failed = {}, false
  return OK
end }
commands.DISCARD = { 1, 1, function(conn)
  if not conn.queue then return "-ERR DISCARD without MULTI\r\n" end
  conn.queue = nil
  return OK
end }
commands.WATCH = { 2, 1e9, function(conn)
  return conn.queue and "-ERR WATCH inside MULTI is not allowed\r\n" or OK
end }
commands.UNWATCH = { 1, 1, function() return OK end }
commands.EXEC = { 1, 1, function(conn)
  local queue = conn.queue
  if not queue then return "-ERR EXEC without MULTI\r\n" end
  conn.queue = nil
  if conn.failed then return "-EXECABORT Transaction discarded because of previous errors.\r\n" end
  local parts = {}
  for n, words in ipairs(queue) do parts[n] = commands[words.name][3](conn, words) end
  return list(parts)
end }
local AT_ONCE = { MULTI = true, EXEC = true, DISCARD = true, WATCH = true, QUIT = true }

local function unknown(conn, words)
  local rest = {}
  for n = 2, #words do rest[n - 1] = "'" .. words[n] .. "' " end
  sockets.countUnknown(conn, table.concat(words, " "))
  return ("-ERR unknown command '%s', with args beginning with: %s\r\n"):format(
    words[1], table.concat(rest):sub(1, 128):gsub("[\r\n]", " "))
end

local function reply(conn, words)
  local name = words[1]:upper()
  local command = commands[name]
  sockets.count(conn, command and name or "unknown")
  local text
  if command == nil then
    text, conn.failed = unknown(conn, words), true
  elseif #words < command[1] or #words > command[2] then
    text, conn.failed = ("-ERR wrong number of arguments for '%s' command\r\n"):format(name:lower()), true
  elseif conn.queue and not AT_ONCE[name] then
    words.name = name
    table.insert(conn.queue, words)
    return put(conn, QUEUED)
  else
    text = command[3](conn, words) or unknown(conn, words)
  end
  put(conn, text)
end

-- A line from a place on, without its end, and the place after it; nil where it is not whole.
local function lineAt(bytes, from, have)
  for at = from, have - 2 do
    if bytes[at] == 13 and bytes[at + 1] == 10 then return ffi.string(bytes + from, at - from), at + 2 end
  end
end

-- A number after a sign, `*3` or `$10`, from the place after the sign on, and the place after its line.
local function numberAt(bytes, at, have)
  local number = 0
  while at < have and bytes[at] >= 48 and bytes[at] <= 57 do
    number, at = number * 10 + bytes[at] - 48, at + 1
  end
  if at + 2 > have then return nil, at end
  if bytes[at] ~= 13 then error("Protocol error", 0) end
  return number, at + 2
end

-- The words of a command and the place after it; nil where it is not whole.
local function commandAt(bytes, from, have)
  if bytes[from] ~= 42 then
    local line, past = lineAt(bytes, from, have)
    if line == nil then return nil end
    local words = {}
    for word in line:gmatch("%S+") do table.insert(words, word) end
    return words, past
  end
  local words, count, at = {}, numberAt(bytes, from + 1, have)
  if count == nil then return nil end
  for n = 1, count do
    if at >= have then return nil end
    if bytes[at] ~= 36 then error("Protocol error", 0) end
    local length
    length, at = numberAt(bytes, at + 1, have)
    if length == nil or at + length + 2 > have then return nil end
    words[n], at = ffi.string(bytes + at, length), at + length + 2
  end
  return words, at
end

local service = { name = "null Redis", version = "RESP2, RESP3", variable = "REDIS_PASSWORD", connections = 4000 }

function service.open(conn)
  conn.resp3, conn.queue, conn.failed, conn.name = false, nil, false, nil
  if not sockets.admit(conn, "0") then
    put(conn, "-ERR max number of clients reached\r\n")
    conn.flush, conn.closing = true, true
  end
end

function service.read(conn, bytes, have)
  local used = 0
  while used < have and not conn.closing do
    local words, past = commandAt(bytes, used, have)
    if words == nil then break end
    used = past
    if #words > 0 then reply(conn, words) end
  end
  conn.flush = conn.filled > 0
  return used
end

sockets.serve(service)
