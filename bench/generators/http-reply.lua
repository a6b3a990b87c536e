-- Reads replies of HTTP/1.1 as they come in pieces: where one ends, and its status. For generators that wrk's LuaJIT runs.
local ffi = require("ffi")
local bit = require("bit")
local min = math.min

ffi.cdef([[
  void *memmem(const void *, unsigned long, const void *, unsigned long);
  void *memchr(const void *, int, unsigned long);
]])
local C = ffi.C
local chars = ffi.typeof("const char *")

-- Bytes of a head at most.
local HEAD = 65536

-- The value of a header whose name begins with a letter and has a length, searched in a head without its first line.
local function value_of(from, length, name)
  local letter, at = name:byte(1), 0
  while true do
    local line = ffi.cast(chars, C.memchr(from + at, 10, length - at))
    if line == nil then return nil end
    at = line - from + 1
    if length - at > #name and bit.bor(from[at], 32) == letter and from[at + #name] == 58 then
      local same = true
      for n = 1, #name - 1 do
        if bit.bor(from[at + n], 32) ~= bit.bor(name:byte(n + 1), 32) then same = false end
      end
      if same then return at + #name + 1 end
    end
  end
end

local function number_at(from, at)
  while from[at] == 32 or from[at] == 9 do at = at + 1 end
  local number = 0
  while from[at] >= 48 and from[at] <= 57 do
    number, at = number * 10 + from[at] - 48, at + 1
  end
  return number
end

local function word_at(from, at, length)
  return ffi.string(from + at, min(40, length - at)):match("^[ \t]*([^\r\n]*)"):lower()
end

-- Reads a head. Returns its length, 0 where it has not all come, nil where it is none; and sets how the body ends.
local function read_head(conn, from, length)
  local past = ffi.cast(chars, C.memmem(from, length, "\r\n\r\n", 4))
  if past == nil then return length < HEAD and 0 or nil end
  local head = tonumber(past - from) + 4
  if head < 16 or ffi.string(from, 7) ~= "HTTP/1." then return nil end
  local status = number_at(from, 9)
  if status < 200 then return head end
  conn.status = status
  local size = value_of(from, head, "content-length")
  local coded = not size and value_of(from, head, "transfer-encoding")
  local told = value_of(from, head, "connection")
  conn.ends = told ~= nil and word_at(from, told, head):find("close", 1, true) ~= nil
  if conn.asks_head or status == 204 or status == 304 then
    conn.mode, conn.left = "length", 0
  elseif size then
    conn.mode, conn.left = "length", number_at(from, size)
  elseif coded and word_at(from, coded, head):find("chunked", 1, true) then
    conn.mode = "chunk"
  else
    conn.mode, conn.ends = "end", true
  end
  return head
end

-- Reads what has come to a connection, whose `mode`, `left`, `have` and `kept` it keeps. Returns true once the reply is whole, false while it is not, nil where it is no reply.
local function read_reply(conn, from, length)
  local at = 0
  while true do
    local mode = conn.mode
    if mode == "head" then
      local head = 0
      if length > at then head = read_head(conn, from + at, length - at) end
      if not head then return nil end
      if head == 0 then break end
      at = at + head
    elseif mode == "length" then
      local step = min(conn.left, length - at)
      at, conn.left = at + step, conn.left - step
      if conn.left > 0 then return false end
      conn.mode = "head"
      return at == length or nil
    elseif mode == "end" then
      return false
    elseif mode == "data" then
      local step = min(conn.left, length - at)
      at, conn.left = at + step, conn.left - step
      if conn.left > 0 then return false end
      conn.mode = "chunk"
    else
      -- A line: the size of a chunk, or of what follows the last one.
      local line = length > at and ffi.cast(chars, C.memchr(from + at, 10, length - at)) or nil
      if line == nil then break end
      local past = tonumber(line - from) + 1
      if mode == "chunk" then
        local size = tonumber(ffi.string(from + at, past - at):match("^%x+") or "", 16)
        if not size then return nil end
        if size == 0 then conn.mode = "trailer" else conn.mode, conn.left = "data", size + 2 end
      elseif past - at <= 2 then
        conn.mode = "head"
        return past == length or nil
      end
      at = past
    end
  end
  -- The rest is the beginning of a reply: it is kept until the remainder comes.
  conn.have = length - at
  if conn.have > HEAD then return nil end
  if conn.have > 0 then conn.kept = ffi.string(from + at, conn.have) end
  return false
end

return { read = read_reply, HEAD = HEAD }
