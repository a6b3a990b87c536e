-- Fields of a message of PostgreSQL's clients. Each is read from a place up to the message's end, and returned with the
-- place after it. What goes beyond the end is an error as PostgreSQL has it. Places are numbers: LuaJIT boxes pointers.
local ffi = require("ffi")
local bit = require("bit")

local fields = {}

-- Throws an error for the client, with its SQLSTATE.
local function fail(code, text) error({ code = code, text = text }, 0) end
fields.fail = fail

-- Throws unless so many bytes are left.
local function need(at, stop, size)
  if size < 0 or at + size > stop then fail("08P01", "insufficient data left in message") end
end
fields.need = need

-- Throws unless all of a message was read.
function fields.done(at, stop)
  if at ~= stop then fail("08P01", "invalid message format") end
end

function fields.byte(bytes, at, stop)
  if at >= stop then fail("08P01", "no data left in message") end
  return bytes[at], at + 1
end

function fields.int2(bytes, at, stop)
  need(at, stop, 2)
  return bytes[at] * 256 + bytes[at + 1], at + 2
end

function fields.int4(bytes, at, stop)
  need(at, stop, 4)
  return bit.bor(bit.lshift(bytes[at], 24), bit.lshift(bytes[at + 1], 16), bit.lshift(bytes[at + 2], 8), bytes[at + 3]), at + 4
end

-- A text that ends with a zero. While a message is read one stands at its end, too.
function fields.text(bytes, at, stop)
  local text = ffi.string(bytes + at)
  local past = at + #text + 1
  if past > stop then fail("08P01", "invalid string in message") end
  return text, past
end

local function formatAt(bytes, at)
  if bytes[at] ~= 0 or bytes[at + 1] > 1 then
    fail("22023", "unsupported format code: " .. bytes[at] * 256 + bytes[at + 1])
  end
  return bytes[at + 1] == 1 and "1" or "0"
end

-- Formats as a text: a 0 or 1 for each value, or one for all.
function fields.formats(bytes, at, stop)
  need(at, stop, 2)
  local count = bytes[at] * 256 + bytes[at + 1]
  at = at + 2
  need(at, stop, 2 * count)
  if count == 0 then return "0", at end
  if count == 1 then return formatAt(bytes, at), at + 2 end
  local list = {}
  for n = 0, count - 1 do list[n + 1] = formatAt(bytes, at + 2 * n) end
  return table.concat(list), at + 2 * count
end

return fields
