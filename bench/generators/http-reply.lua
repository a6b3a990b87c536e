-- Reads replies of HTTP/1.1 as they come in pieces: where one ends, and its status. For generators that wrk's LuaJIT runs.
local ffi = require("ffi")
local min = math.min

ffi.cdef([[
  void *memmem(const void *, unsigned long, const void *, unsigned long);
  void *memchr(const void *, int, unsigned long);
  int memcmp(const void *, const void *, unsigned long);
  char *strcasestr(const char *, const char *);
  char *strchr(const char *, int);
  unsigned long strtoul(const char *, char **, int);
]])
local C = ffi.C
local chars = ffi.typeof("const char *")

-- Bytes of a head at most.
local HEAD = 65536

-- The last head and what it says: most heads have the same bytes as the one before, so few are read. No loop in Lua reads
-- one, since the compiler makes a piece of code for each way through a short loop.
local seen, seen_length = ffi.new("char[?]", HEAD + 1), 0
local status, form, size, closes = 0, "end", 0, false

-- True if a header's value has a word, both in any case. `name` begins with a line feed and ends with a colon.
local function says(name, word)
  local line = C.strcasestr(seen, name)
  if line == nil then return false end
  local at = C.strcasestr(line, word)
  return at ~= nil and at < C.strchr(line + 1, 10)
end

-- Reads a head. Returns its length, 0 where it has not all come, nil where it is none.
local function read_head(from, length)
  if seen_length > 0 and length >= seen_length and C.memcmp(from, seen, seen_length) == 0 then return seen_length end
  local past = C.memmem(from, length, "\r\n\r\n", 4)
  if past == nil then return length < HEAD and 0 or nil end
  local head = tonumber(ffi.cast(chars, past) - from) + 4
  if head < 16 or head > HEAD or C.memcmp(from, "HTTP/1.", 7) ~= 0 then return nil end
  seen_length = head
  ffi.copy(seen, from, head)
  seen[head] = 0
  status = tonumber(C.strtoul(seen + 9, nil, 10))
  local counted = C.strcasestr(seen, "\ncontent-length:")
  closes, form, size = says("\nconnection:", "close"), "end", 0
  if counted ~= nil then
    form, size = "length", tonumber(C.strtoul(counted + 16, nil, 10))
  elseif says("\ntransfer-encoding:", "chunked") then
    form = "chunk"
  end
  return head
end

-- Reads chunks and what follows the last one, from a place in what has come. Returns as `read_reply` does, and the place.
local function read_chunks(conn, from, at, length)
  while at < length do
    local mode = conn.mode
    if mode == "data" then
      local step = min(conn.left, length - at)
      at, conn.left = at + step, conn.left - step
      if conn.left > 0 then return false, at end
      conn.mode = "chunk"
    else
      local line = C.memchr(from + at, 10, length - at)
      if line == nil then return false, at end
      local past = tonumber(ffi.cast(chars, line) - from) + 1
      if mode == "chunk" then
        local bytes = tonumber(ffi.string(from + at, past - at):match("^%x+") or "", 16)
        if not bytes then return nil, at end
        if bytes == 0 then conn.mode = "trailer" else conn.mode, conn.left = "data", bytes + 2 end
      elseif past - at <= 2 then
        conn.mode = "head"
        return past == length or nil, past
      end
      at = past
    end
  end
  return false, at
end

-- Reads what has come to a connection, whose `mode`, `left`, `have` and `kept` it keeps. Returns true once the reply is
-- whole, false while it is not, nil where it is no reply.
local function read_reply(conn, from, length)
  local at, whole = 0, false
  if conn.mode == "head" then
    local head = read_head(from, length)
    if not head then return nil end
    at = head
    if head > 0 and status < 200 then
      if head < length then return read_reply(conn, from + head, length - head) end
    elseif head > 0 then
      conn.status, conn.ends, conn.mode, conn.left = status, closes, form, size
      if conn.asks_head or status == 204 or status == 304 then
        conn.mode, conn.left = "length", 0
      elseif form == "end" then
        conn.ends = true
      end
    end
  end
  if conn.mode == "length" then
    local step = min(conn.left, length - at)
    at, conn.left = at + step, conn.left - step
    if conn.left > 0 then return false end
    conn.mode = "head"
    return at == length or nil
  elseif conn.mode == "end" then
    return false
  elseif conn.mode ~= "head" then
    whole, at = read_chunks(conn, from, at, length)
    if whole ~= false then return whole end
  end
  -- The rest is the beginning of a reply: it is kept until the remainder comes.
  conn.have = length - at
  if conn.have > HEAD then return nil end
  if conn.have > 0 then conn.kept = ffi.string(from + at, conn.have) end
  return false
end

return { read = read_reply, HEAD = HEAD }
