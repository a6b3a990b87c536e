-- A Redis that does nothing: it speaks RESP2 and RESP3 and answers with values made from keys. A driver is then the limit
-- of whoever asks, and what it asks is counted. See docs/services.md.
--
-- wrk -s redis.lua [-H "value-bytes: 100"] [-H "connections: 4000"] [-H "control: PORT"] http://127.0.0.1:PORT
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local counts = require("counts")
local sockets = require("sockets")
local reader = require("redis-words")

local put, mayHold, shown = sockets.put, sockets.mayHold, reader.shown
-- The most bytes of commands that wait for EXEC, and what each and a word of it takes besides, about.
local MOST_QUEUED, COMMAND, WORD = 16 * 1024 * 1024, 200, 40
-- The most bytes of values that were made.
local MOST_VALUES = 64 * 1024 * 1024
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
    held = held + #key + #value + COMMAND
    if held > MOST_VALUES then values, held = {}, #key + #value + COMMAND end
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

local function unknown(conn, words)
  local rest, bytes = {}, 0
  for n = 2, #words do
    if bytes > 128 then break end
    rest[n - 1], bytes = "'" .. words[n] .. "' ", bytes + #words[n]
  end
  counts.addUnknown(conn, table.concat(words, " "))
  return ("-ERR unknown command '%s', with args beginning with: %s\r\n"):format(shown(words[1]), shown(table.concat(rest)))
end

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
    local parts, bytes = {}, 0
    for n = 2, #words do
      local value = valueOf(conn, words[n])
      parts[n - 1], bytes = value, bytes + #value
      mayHold(bytes)
    end
    return list(parts)
  end },
  MSET = { 3, 1e9, function(conn, words)
    return #words % 2 == 1 and OK or "-ERR wrong number of arguments for 'mset' command\r\n"
  end },
  SELECT = { 2, 2, function(conn, words)
    if not words[2]:match("^-?%d+$") then return "-ERR value is not an integer or out of range\r\n" end
    local number = tonumber(words[2])
    if number < 0 or number > 15 then return "-ERR DB index is out of range\r\n" end
    counts.regroup(conn, tostring(number))
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
  local n, name = 3, nil
  while n <= #words do
    local option = words[n]:upper()
    if option == "AUTH" and words[n + 2] then
      if not isRight(words[n + 1], words[n + 2]) then return WRONG end
      n = n + 3
    elseif option == "SETNAME" and words[n + 1] then
      name, n = words[n + 1], n + 2
    else
      return "-ERR Syntax error in HELLO option '" .. shown(words[n]) .. "'\r\n"
    end
  end
  conn.name = name or conn.name
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
  conn.queue, conn.queued, conn.failed = {}, 0, false
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
  local parts, bytes = {}, 0
  for n, words in ipairs(queue) do
    local part = commands[words.name][3](conn, words) or unknown(conn, words)
    parts[n], bytes = part, bytes + #part
    mayHold(bytes)
  end
  return list(parts)
end }
local AT_ONCE = { MULTI = true, EXEC = true, DISCARD = true, WATCH = true, QUIT = true }

local function reply(conn, words)
  local name = words[1]:upper()
  local command = commands[name]
  counts.add(conn, command and name or "unknown")
  local text
  if command == nil then
    text, conn.failed = unknown(conn, words), true
  elseif #words < command[1] or #words > command[2] then
    text, conn.failed = ("-ERR wrong number of arguments for '%s' command\r\n"):format(name:lower()), true
  elseif conn.queue and not AT_ONCE[name] then
    local bytes = COMMAND
    for n = 1, #words do bytes = bytes + WORD + #words[n] end
    conn.queued = conn.queued + bytes
    if conn.queued > MOST_QUEUED then
      conn.queue, conn.failed = {}, true
      return put(conn, "-ERR null service: too many commands wait for EXEC\r\n")
    end
    words.name = name
    table.insert(conn.queue, words)
    return put(conn, QUEUED)
  else
    text = command[3](conn, words) or unknown(conn, words)
  end
  put(conn, text)
end

local service = { name = "null Redis", version = "RESP2, RESP3", variable = "REDIS_PASSWORD", connections = 4000 }

function service.open(conn)
  conn.resp3, conn.queue, conn.queued, conn.failed, conn.name = false, nil, 0, false, nil
  -- The words of a command that is not whole yet, of so many, with so many bytes.
  conn.words, conn.count, conn.length = nil, 0, 0
  if not counts.admit(conn, "0") then
    put(conn, "-ERR max number of clients reached\r\n")
    conn.flush, conn.closing = true, true
  end
end

-- Each byte is read once: a command that comes slowly goes on where it was.
function service.read(conn, bytes, have)
  local at = 0
  while at < have and not conn.closing and conn.filled < sockets.FULL do
    local words, count = conn.words, conn.count
    if words == nil and bytes[at] ~= 42 then
      local past
      words, past = reader.line(bytes, at, have)
      if words == nil then break end
      at = past
      if #words > 0 then reply(conn, words) end
    else
      if words == nil then
        local past
        count, past = reader.count(bytes, at, have)
        if count == nil then break end
        words, at = {}, past
      end
      local from = at
      at = reader.words(words, count, bytes, at, have)
      local length = conn.length + at - from
      reader.fit(length)
      if #words < count then
        conn.words, conn.count, conn.length = words, count, length
        break
      end
      conn.words, conn.length = nil, 0
      if count > 0 then reply(conn, words) end
    end
  end
  conn.flush = conn.filled > 0
  return at
end

function service.failed(conn, wrong)
  if type(wrong) ~= "table" or not wrong.malformed then return nil end
  put(conn, wrong.malformed)
  conn.flush, conn.closing = true, true
  return 0
end

sockets.serve(service)
