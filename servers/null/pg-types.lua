-- PostgreSQL's types as far as rows and parameters of the null service have them: numbers, names, binary forms.
local ffi = require("ffi")
local bit = require("bit")

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
local function intAt(at, size)
  local number = int8(ffi.cast("int8_t *", at)[0])
  for n = 1, size - 1 do number = number * 256 + at[n] end
  return number
end
function types.int4At(at) return bit.bor(bit.lshift(at[0], 24), bit.lshift(at[1], 16), bit.lshift(at[2], 8), at[3]) end
function types.int2At(at) return at[0] * 256 + at[1] end

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
    double.number = tonumber(text)
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

-- A whole number's text as rows have it; nil where it is none. Looked up, since LuaJIT does not compile patterns.
local wholes, held = {}, 0
local function wholeOf(text)
  local whole = wholes[text]
  if whole == nil then
    if not text:match("^%s*[-+]?%d+%s*$") then return nil end
    whole = tostring(parsed(text:match("[-%d]+"))):gsub("LL$", "")
    held = held + 1
    if held > 100000 then wholes, held = {}, 1 end
    wholes[text] = whole
  end
  return whole
end

-- A parameter as text, or a list of texts of an array's; nil where its form is not known.
function types.fromWire(type, at, length, binary)
  if not binary then
    local text = ffi.string(at, length)
    if type.element then return elementsOf(text) end
    if WHOLE[type.name] then return wholeOf(text) end
    return text
  end
  if AS_TEXT[type.name] then return ffi.string(at, length) end
  if WHOLE[type.name] then return (tostring(intAt(at, length)):gsub("LL$", "")) end
  if type.name == "bool" then return at[0] == 1 and "t" or "f" end
  if type.name == "jsonb" then return ffi.string(at + 1, length - 1) end
  if type.name == "float8" then
    for n = 0, 7 do double.bytes[n] = at[7 - n] end
    return ("%.17g"):format(double.number)
  end
  if not type.element then return ffi.string(at, length) end
  local list = {}
  local elements, place = types.int4At(at) == 0 and 0 or types.int4At(at + 12), 20
  for n = 1, elements do
    local size = types.int4At(at + place)
    list[n] = size >= 0 and types.fromWire(type.element, at + place + 4, size, true) or nil
    place = place + 4 + math.max(size, 0)
  end
  return list
end

return types
