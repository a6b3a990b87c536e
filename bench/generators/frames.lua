-- Frames and handshakes of WebSocket (RFC 6455), for the generator and the null server that wrk's LuaJIT runs.
local ffi = require("ffi")
local bit = require("bit")
local band, bxor, rshift = bit.band, bit.bxor, bit.rshift

-- They are in the library that wrk has for TLS.
ffi.cdef([[
  unsigned char *SHA1(const unsigned char *, unsigned long, unsigned char *);
  int EVP_EncodeBlock(unsigned char *, const unsigned char *, int);
  void *memmove(void *, const void *, unsigned long);
]])
local C = ffi.C

local frames = { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 }

-- Returns bytes in base64.
function frames.base64(bytes)
  local text = ffi.new("unsigned char[?]", 4 * #bytes + 8)
  return ffi.string(text, C.EVP_EncodeBlock(text, bytes, #bytes))
end

-- Returns the value of Sec-WebSocket-Accept for a key.
function frames.accept(key)
  local text = key .. "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
  local digest = ffi.new("unsigned char[20]")
  C.SHA1(text, #text, digest)
  return frames.base64(ffi.string(digest, 20))
end

-- Returns why the head of a reply does not open the connection that was requested with a key; nothing if it does.
function frames.refused(head, key, protocol)
  local status = head:match("^HTTP/1%.1 (%d%d%d)")
  if not status then return "sends no reply of HTTP/1.1" end
  if status ~= "101" then return "answers the handshake with " .. status end
  local function header(name)
    local at = head:lower():find("\n" .. name .. ":", 1, true)
    return at and head:match(": *([^\r\n]*)", at)
  end
  local function lacks(name, word) return not (header(name) or ""):lower():find(word, 1, true) end
  if lacks("upgrade", "websocket") then return "answers 101 without \"Upgrade: websocket\"" end
  if lacks("connection", "upgrade") then return "answers 101 without \"Connection: Upgrade\"" end
  local accept = header("sec-websocket-accept")
  if not accept then return "answers 101 without an accept key" end
  if accept ~= frames.accept(key) then return "answers 101 with a wrong accept key" end
  if header("sec-websocket-extensions") then return "answers with an extension that was not requested" end
  local spoken = header("sec-websocket-protocol")
  if spoken and not ("," .. protocol:gsub(" ", "") .. ","):find("," .. spoken .. ",", 1, true) then
    return "answers with a subprotocol that was not requested"
  end
end

-- Returns a whole frame; with a key of four bytes it is masked, as a client has to.
function frames.frame(kind, payload, key)
  local length, mask = #payload, key and 128 or 0
  local head = length < 126 and string.char(128 + kind, mask + length)
    or length < 65536 and string.char(128 + kind, mask + 126, rshift(length, 8), band(length, 255))
    or string.char(128 + kind, mask + 127, 0, 0, 0, 0, rshift(length, 24), band(rshift(length, 16), 255),
      band(rshift(length, 8), 255), band(length, 255))
  if not key then return head .. payload end
  local bytes = ffi.new("unsigned char[?]", length + 1, payload)
  for n = 0, length - 1 do bytes[n] = bxor(bytes[n], key:byte(n % 4 + 1)) end
  return head .. key .. ffi.string(bytes, length)
end

-- Reads the head of a frame that may not have come whole. Returns its length and that of its payload; nothing yet while
-- bytes are missing.
function frames.head(from, have)
  if have < 2 then return nil, 0 end
  local length, head = band(from[1], 127), from[1] > 127 and 6 or 2
  if length == 126 then
    head = head + 2
    if have < head then return nil, 0 end
    length = from[2] * 256 + from[3]
  elseif length == 127 then
    head = head + 8
    if have < head then return nil, 0 end
    length = 0
    for n = 2, 9 do length = length * 256 + from[n] end
  end
  if have < head then return nil, 0 end
  return head, length
end

local words = ffi.typeof("uint64_t *")

-- True for codes that a close frame may have.
function frames.is_code(code)
  return code >= 1000 and code < 1015 and (code < 1004 or code > 1006) or code >= 3000 and code < 5000
end

-- Returns the code with which a server has to close a connection after the head of a frame; 0 if the frame is sound.
local ERROR, TOO_LONG = 1002, 1009
local function refusal(first, second, head, length, most)
  local kind = band(first, 15)
  if second < 128 or band(first, 112) ~= 0 or band(kind, 7) > 2 then return ERROR end
  if kind > 7 and (length > 125 or first < 128) then return ERROR end
  if length < (head == 8 and 126 or head == 14 and 65536 or 0) then return ERROR end
  return length > most and TOO_LONG or 0
end

-- Turns the whole frames of a client into those a server sends, in place, and refuses payloads above a length. Returns the
-- length of what it made of them, how many bytes it read, and the code with which the server has to close the connection,
-- 0 if it is to stay.
function frames.unmasked(from, have, most)
  local read, made = 0, 0
  while true do
    local head, length = frames.head(from + read, have - read)
    if not head then return made, read, 0 end
    local code = refusal(from[read], from[read + 1], head, length, most)
    if code > 0 then return made, read, code end
    if read + head + length > have then return made, read, 0 end
    local masked, key = from + read + head, from + read + head - 4
    if band(from[read], 15) == frames.CLOSE then
      code = length == 0 and 1000 or length == 1 and ERROR or bxor(masked[0], key[0]) * 256 + bxor(masked[1], key[1])
      return made, read, frames.is_code(code) and code or ERROR
    end
    local four = key[0] + key[1] * 256 + key[2] * 65536 + key[3] * 16777216
    local eight = ffi.cast("uint64_t", four) * 0x100000001ULL
    local to = from + made
    to[0], to[1] = from[read], band(from[read + 1], 127)
    if head > 6 then C.memmove(to + 2, from + read + 2, head - 6) end
    to = to + (head - 4)
    local whole = length - length % 8
    for n = 0, whole - 1, 8 do
      ffi.cast(words, to + n)[0] = bxor(ffi.cast(words, masked + n)[0], eight)
    end
    for n = whole, length - 1 do to[n] = bxor(masked[n], band(rshift(four, 8 * (n % 4)), 255)) end
    read, made = read + head + length, made + head - 4 + length
  end
end

return frames
