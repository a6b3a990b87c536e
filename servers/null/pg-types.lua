-- PostgreSQL's types as far as rows and parameters of the null service have them: numbers, names, binary forms.
local ffi = require("ffi")
local bit = require("bit")
local fields = require("pg-fields")

local fail, need, int4 = fields.fail, fields.need, fields.int4

local types = { byName = {}, byOid = {} }

-- Name, number, number of its array, bytes of a value (-1: they vary), further names.
for _, row in ipairs({
  { "bool", 16, 1000, 1, "boolean" }, { "bytea", 17, 1001, -1 }, { "name", 19, 1003, 64 }, { "int8", 20, 1016, 8, "bigint" },
  { "int2", 21, 1005, 2, "smallint" }, { "int4", 23, 1007, 4, "integer", "int" }, { "text", 25, 1009, -1 },
  { "oid", 26, 1028, 4 }, { "json", 114, 199, -1 }, { "float4", 700, 1021, 4, "real" }, { "float8", 701, 1022, 8 },
  { "unknown", 705, 0, -2 }, { "varchar", 1043, 1015, -1 }, { "timestamptz", 1184, 1185, 8 },
  { "numeric", 1700, 1231, -1, "decimal" }, { "uuid", 2950, 2951, 16 }, { "jsonb", 3802, 3807, -1 },
}) do
  local type = { name = row[1], oid = row[2], size = row[4] }
  local array = { name = row[1] .. "[]", oid = row[3], size = -1, element = type }
  type.array = array
  for n = 1, #row do
    if n ~= 2 and n ~= 3 and n ~= 4 then
      types.byName[row[n]], types.byName[row[n] .. "[]"] = type, array
    end
  end
  types.byOid[type.oid] = type
  if array.oid > 0 then types.byOid[array.oid] = array end
end

local int8 = ffi.typeof("int64_t")
local double = ffi.new("union { double number; uint8_t bytes[8]; }")

-- A whole number in so many bytes, the highest first.
function types.int(number, size)
  local bytes = {}
  for n = size, 1, -1 do
    bytes[n] = string.char(tonumber(bit.band(number, 255)))
    number = bit.arshift(number, 8)
  end
  return table.concat(bytes)
end

-- A whole number from so many bytes at a pointer.
local function intAt(bytes, at, size)
  local number = int8(ffi.cast("int8_t *", bytes + at)[0])
  for n = 1, size - 1 do number = number * 256 + bytes[at + n] end
  return number
end

local function parsed(text)
  local number = int8(0)
  for digit in text:gmatch("%d") do number = number * 10 + tonumber(digit) end
  return text:sub(1, 1) == "-" and -number or number
end

local function unhex(text)
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

local WHOLE = { int2 = 2, int4 = 4, int8 = 8, oid = 4 }
function types.isWhole(type) return WHOLE[type.name] ~= nil end
-- A type's name in errors.
function types.wordFor(type) return type.name == "int4" and "integer" or type.name end
local AS_TEXT = { text = true, varchar = true, json = true, name = true, unknown = true }

-- The binary form of a value told as text; nil where there is none here.
function types.toBinary(type, text)
  if AS_TEXT[type.name] then return text end
  if WHOLE[type.name] then return types.int(parsed(text), WHOLE[type.name]) end
  if type.name == "bool" then return text == "t" and "\1" or "\0" end
  if type.name == "jsonb" then return "\1" .. text end
  if type.name == "uuid" then return unhex((text:gsub("-", ""))) end
  if type.name == "bytea" then return unhex(text:sub(3)) end
  if type.name == "float8" then
    double.number = tonumber(text) or fail("22P02", 'invalid input syntax for type double precision: "' .. text .. '"')
    return ffi.string(double.bytes, 8):reverse()
  end
end

-- The elements of an array's text: {1,2} or {"a","b"}.
local function elementsOf(text)
  local list, at = {}, 2
  while at and at < #text do
    local element, past
    if text:sub(at, at) == '"' then
      past = at + 1
      while past < #text and text:sub(past, past) ~= '"' do past = past + (text:sub(past, past) == "\\" and 2 or 1) end
      element, past = text:sub(at + 1, past - 1):gsub("\\(.)", "%1"), past + 2
    else
      element, past = text:match("^([^,}]*)[,}]()", at)
    end
    table.insert(list, element)
    at = past
  end
  return list
end

-- The largest of each type without a sign, and with one.
local LARGEST = {
  int2 = { "32767", "32768" }, int4 = { "2147483647", "2147483648" }, oid = { "4294967295", "2147483648" },
  int8 = { "9223372036854775807", "9223372036854775808" },
}

local function isLarger(digits, most) return #digits > #most or (#digits == #most and digits > most) end

-- A whole number's text as rows have it; nil where it is none. Looked up, since LuaJIT does not compile patterns.
local wholes, held = { int2 = {}, int4 = {}, oid = {}, int8 = {} }, 0
local function wholeOf(type, text)
  local whole = wholes[type.name][text]
  if whole == nil then
    local sign, digits = text:match("^%s*([-+]?)(%d+)%s*$")
    if not sign then return nil end
    digits = digits:match("^0*(%d+)$")
    if isLarger(digits, LARGEST[type.name][sign == "-" and 2 or 1]) then
      fail("22003", ('value "%s" is out of range for type %s'):format(text:sub(1, 100), types.wordFor(type)))
    end
    whole = (digits ~= "0" and sign == "-" and "-" or "") .. digits
    -- Zeros and spaces around a number may be endless.
    if #text > 100 then return whole end
    held = held + 1
    if held > 100000 then wholes, held = { int2 = {}, int4 = {}, oid = {}, int8 = {} }, 1 end
    wholes[type.name][text] = whole
  end
  return whole
end

-- The elements of a binary array. Its head says how many there are; each takes four bytes at least.
local function elementsFrom(element, bytes, at, length)
  local stop, count, list = at + length, 1, {}
  local dimensions, flags, oid, size
  dimensions, at = int4(bytes, at, stop)
  flags, at = int4(bytes, at, stop)
  oid, at = int4(bytes, at, stop)
  if dimensions > 6 then fail("54000", "number of array dimensions exceeds the maximum allowed (6)") end
  if dimensions < 0 or flags < 0 or flags > 1 then fail("22P03", "invalid head of an array") end
  if oid ~= element.oid then fail("42804", "binary data has array element type " .. oid .. " instead of " .. element.oid) end
  for _ = 1, dimensions do
    size, at = int4(bytes, at, stop)
    need(at, stop, 4)
    at, count = at + 4, count * size
    if size < 0 or count > 2 ^ 27 then fail("54000", "array size exceeds the maximum allowed") end
  end
  for n = 1, dimensions > 0 and count or 0 do
    size, at = int4(bytes, at, stop)
    if size < -1 or at + size > stop then fail("22P03", "insufficient data left in message") end
    if size >= 0 then
      list[n], at = types.fromWire(element, bytes, at, size, true), at + size
    end
  end
  if at ~= stop then fail("22P03", "incorrect binary data format") end
  return list
end

-- A parameter as text, or a list of texts of an array's; nil where its form is not known. All its bytes are there.
function types.fromWire(type, bytes, at, length, binary)
  if not binary then
    local text = ffi.string(bytes + at, length)
    if type.element then return elementsOf(text) end
    if WHOLE[type.name] then return wholeOf(type, text) end
    return text
  end
  if AS_TEXT[type.name] then return ffi.string(bytes + at, length) end
  if type.element then return elementsFrom(type.element, bytes, at, length) end
  need(at, at + length, type.size > 0 and type.size or 0)
  if type.size > 0 and length > type.size then fail("22P03", "incorrect binary data format") end
  if WHOLE[type.name] then return (tostring(intAt(bytes, at, length)):gsub("LL$", "")) end
  if type.name == "bool" then return bytes[at] ~= 0 and "t" or "f" end
  if type.name == "jsonb" then
    need(at, at + length, 1)
    return ffi.string(bytes + at + 1, length - 1)
  end
  if type.name == "float8" then
    for n = 0, 7 do double.bytes[n] = bytes[at + 7 - n] end
    return ("%.17g"):format(double.number)
  end
  return ffi.string(bytes + at, length)
end

return types
