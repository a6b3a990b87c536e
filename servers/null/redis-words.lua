-- Words of a command of Redis' clients, as far as they are there. What is no command ends the connection as Redis ends it.
local ffi = require("ffi")

-- The most words of a command, and bytes of all of them and of one that is a line.
local MOST_WORDS, LONGEST, LONGEST_LINE = 1024 * 1024, require("sockets").LONGEST, 64 * 1024

local reader = {}

-- A client's text as it may stand in an error.
function reader.shown(text) return (text:sub(1, 128):gsub("[\r\n]", " ")) end

-- Ends a connection as Redis does, from anywhere while it is read.
local function malformed(what) error({ malformed = "-ERR Protocol error: " .. what .. "\r\n" }, 0) end

-- Throws for a command of too many bytes.
function reader.fit(size)
  if size > LONGEST then malformed("too big request") end
end

-- Words of a command that is a line, and the place after it; nil where it is not whole.
function reader.line(bytes, from, have)
  local ending = ffi.C.memchr(bytes + from, 10, have - from)
  if ending == nil then
    if have - from > LONGEST_LINE then malformed("too big inline request") end
    return nil
  end
  local past, words = ending - bytes + 1, {}
  for word in ffi.string(bytes + from, past - from):gmatch("%S+") do table.insert(words, word) end
  return words, past
end

-- A number after a sign, `*3` or `$10`, from the place after the sign on, and the place after its line; nil where the line
-- is not whole. More digits than ten are more than any bound. Of negative ones the sign alone matters.
local function numberAt(bytes, from, have, what)
  local number, at = 0, from
  while at < have and bytes[at] >= 48 and bytes[at] <= 57 do
    number, at = number * 10 + bytes[at] - 48, at + 1
  end
  if at == from and at < have and bytes[at] == 45 then
    number, at = numberAt(bytes, from + 1, have, what)
    return number and -1, at
  end
  if at - from > 10 or (at < have and (bytes[at] ~= 13 or at == from)) then malformed("invalid " .. what .. " length") end
  if at + 2 > have then return nil, from end
  return number, at + 2
end

-- The number of a command's words, from the place of its sign on, and the place after it; nil where it is not whole.
function reader.count(bytes, from, have)
  local count, past = numberAt(bytes, from + 1, have, "multibulk")
  if count and count > MOST_WORDS then malformed("invalid multibulk length") end
  return count, past
end

-- Reads words of a command that were not there before, and returns the place after the last that is whole.
function reader.words(words, count, bytes, at, have)
  for n = #words + 1, count do
    if at >= have then return at end
    if bytes[at] ~= 36 then malformed("expected '$', got '" .. reader.shown(string.char(bytes[at])) .. "'") end
    local length, from = numberAt(bytes, at + 1, have, "bulk")
    if length == nil then return at end
    if length < 0 or length > LONGEST then malformed("invalid bulk length") end
    if from + length + 2 > have then return at end
    words[n], at = ffi.string(bytes + from, length), from + length + 2
  end
  return at
end

return reader
