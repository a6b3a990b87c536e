-- A PostgreSQL that does nothing: it speaks the wire protocol, version 3, and answers with rows it was given. A driver is
-- then the limit of whoever asks, and what it asks is counted. See docs/services.md. Longer than 300 lines because every
-- message changes the state of its connection, and all of them are here.
--
-- wrk -s postgres.lua -H "table-world: world.tsv" [-H "connections: 100"] [-H "control: PORT"] http://127.0.0.1:PORT
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local sockets = require("sockets")
local types = require("pg-types")
local tables = require("pg-tables")
local statements = require("pg-statements")

local put, int, int4At, int2At = sockets.put, types.int, types.int4At, types.int2At

local known = {}
for header, file in pairs(wrk.headers) do
  local name = header:match("^table%-(.+)$")
  if name then
    local fine, read = pcall(tables.read, name, file)
    if not fine then sockets.fail(read) end
    known[name] = read
  end
end
local statementOf = statements.reader(known)

local function message(kind, body) return kind .. int(#body + 4, 4) .. body end

local READY = { I = message("Z", "I"), T = message("Z", "T"), E = message("Z", "E") }
local PARSED, BOUND, CLOSED, NO_DATA = message("1", ""), message("2", ""), message("3", ""), message("n", "")
local EMPTY, SUSPENDED = message("I", ""), message("s", "")

local function errorText(severity, code, text)
  return message("E", ("S%s\0V%s\0C%s\0M%s\0\0"):format(severity, severity, code, text))
end

-- Says an error, at once. In the extended protocol all is passed over up to the next Sync.
local function fail(conn, code, text)
  put(conn, errorText("ERROR", code, text))
  conn.flush = true
  if conn.status == "T" then conn.status = "E" end
  conn.skipping = not conn.simple
  return false
end

local function fatal(conn, code, text)
  put(conn, errorText("FATAL", code, text))
  conn.flush, conn.closing = true, true
end

local completed = {}
local function complete(conn, tag)
  if completed[tag] == nil then completed[tag] = message("C", tag .. "\0") end
  put(conn, completed[tag])
end

-- The statement of a text, or false with an error said.
local function understood(conn, sql)
  local statement, wrong = statementOf(sql)
  if wrong then return fail(conn, wrong.code, wrong.text) end
  if statement == nil then
    sockets.countUnknown(conn, sql)
    return fail(conn, "0A000", 'null service: no answer for "' .. sql .. '"')
  end
  return statement
end

-- False, with an error said, where a transaction has failed and this does not end it.
local function mayRun(conn, statement)
  local ends = statement.transaction ~= nil and statement.transaction ~= "begin"
  if conn.status ~= "E" or ends or statement.empty then return true end
  fail(conn, "25P02", "current transaction is aborted, commands ignored until end of transaction block")
  return false
end

-- `formats` has a 0 or 1 for each column, or for all in one.
local function isBinary(formats, column) return (#formats == 1 and formats or formats:sub(column, column)) == "1" end

local function rowDescription(columns, formats)
  local fields = {}
  for n, column in ipairs(columns) do
    fields[n] = column.name .. "\0" .. ("\0"):rep(6) .. int(column.type.oid, 4) .. int(column.type.size, 2)
      .. "\255\255\255\255\0" .. (isBinary(formats, n) and "\1" or "\0")
  end
  return message("T", int(#columns, 2) .. table.concat(fields))
end

local function dataRow(statement, formats, key)
  local row, fields = statement.row(key), {}
  for n, column in ipairs(statement.columns) do
    local text = row[n]
    if text ~= nil and isBinary(formats, n) then
      text = types.toBinary(column.type, text) or error({ type = column.type.name }, 0)
    end
    fields[n] = text == nil and "\255\255\255\255" or int(#text, 4) .. text
  end
  return message("D", int(#statement.columns, 2) .. table.concat(fields))
end

local NO_ROWS = {}

-- Prepared statements by name, with the formats of their columns.
local function cached(statement, name, formats)
  local all = statement[name]
  if all == nil then
    all = {}
    statement[name] = all
  end
  local some = all[formats]
  if some == nil then
    some = {}
    all[formats] = some
  end
  return some
end

local function changeTransaction(conn, change, tag)
  if change == "begin" then
    if conn.status == "I" then conn.status = "T" end
  elseif change == "back" then
    conn.status = "T"
  elseif change ~= nil then
    if conn.status == "E" then tag = "ROLLBACK" end
    conn.status = "I"
  end
  return tag
end

local function forget(conn, name)
  if name == "all" then
    conn.statements = {}
  elseif name then
    conn.statements[name] = nil
  end
end

-- Sends rows of a portal, and its end where that is reached.
local function sendRows(conn, portal, most)
  local statement = portal.statement
  portal.keys = portal.keys or statement.rows(portal.values)
  local keys, cache = portal.keys, cached(statement, "encoded", portal.formats)
  local last = most > 0 and math.min(portal.sent + most, #keys) or #keys
  for n = portal.sent + 1, last do
    local key = keys[n]
    local row = cache[key]
    if row == nil then
      local fine
      fine, row = pcall(dataRow, statement, portal.formats, key)
      if not fine then
        if type(row) ~= "table" then error(row, 0) end
        sockets.countUnknown(conn, "binary " .. row.type)
        return fail(conn, "0A000", "null service: no binary form of " .. row.type)
      end
      if not statement.uncached then cache[key] = row end
    end
    put(conn, row)
  end
  local sent = last - portal.sent
  portal.sent = last
  if last < #keys then return put(conn, SUSPENDED) end
  complete(conn, statement.uncounted and statement.tag or statement.tag .. " " .. sent)
end

local ANSWERS = 100000
local answersHeld = 0

-- Runs a portal. The whole answer to a statement with one parameter is kept by its value.
local function run(conn, portal, most)
  local statement, value = portal.statement, portal.values[1]
  if statement.empty then return put(conn, EMPTY) end
  if statement.columns == nil then
    if portal.keys then return fail(conn, "55000", "a portal that has run cannot be run again") end
    portal.keys = NO_ROWS
    local tag = changeTransaction(conn, statement.transaction, statement.tag)
    forget(conn, statement.forget)
    if statement.changes then tag = tag .. " " .. statement.changes(portal.values) end
    return complete(conn, tag)
  end
  if most > 0 or portal.keys or #statement.params ~= 1 or type(value) ~= "string" or statement.uncached then
    return sendRows(conn, portal, most)
  end
  local answers = cached(statement, "answers", portal.formats)
  local answer = answers[value]
  if answer == nil then
    local before = conn.filled
    local failed = sendRows(conn, portal, 0) == false
    if failed or answersHeld == ANSWERS then return end
    answersHeld = answersHeld + 1
    answers[value] = ffi.string(conn.output + before, conn.filled - before)
    return
  end
  portal.keys, portal.sent = NO_ROWS, 0
  put(conn, answer)
end

local handlers = {}

function handlers.Q(conn, at)
  local texts = statements.split(ffi.string(at))
  conn.simple, conn.statements[""], conn.portals[""] = true, nil, nil
  if #texts == 0 then put(conn, EMPTY) end
  for _, text in ipairs(texts) do
    local statement = understood(conn, text)
    if not statement or not mayRun(conn, statement) then break end
    if #statement.params > 0 then
      fail(conn, "42P02", "there is no parameter $1")
      break
    end
    if statement.columns then put(conn, rowDescription(statement.columns, "0")) end
    if run(conn, { statement = statement, values = {}, formats = "0", sent = 0 }, 0) == false then break end
  end
  conn.simple = false
  put(conn, READY[conn.status])
  conn.flush = true
end

function handlers.P(conn, at)
  local name = ffi.string(at)
  local sql = ffi.string(at + #name + 1)
  if name ~= "" and conn.statements[name] then
    return fail(conn, "42P05", 'prepared statement "' .. name .. '" already exists')
  end
  local statement = understood(conn, sql)
  if not statement or not mayRun(conn, statement) then return end
  at = at + #name + #sql + 2
  local given = int2At(at)
  if given == 0 then
    statement.prepared = statement.prepared or { statement = statement, params = statement.params }
    conn.statements[name] = statement.prepared
    return put(conn, PARSED)
  end
  local prepared = { statement = statement, params = {} }
  for n = 1, math.max(#statement.params, given) do
    local oid = n <= given and int4At(at + 2 + 4 * (n - 1)) or 0
    prepared.params[n] = types.byOid[oid] or statement.params[n] or types.byName.text
  end
  conn.statements[name] = prepared
  put(conn, PARSED)
end

-- Formats of a Bind from a place on, as text, and the place after them.
local function formatsAt(at)
  local count = int2At(at)
  if count == 0 then return "0", at + 2 end
  if count == 1 then return at[3] == 1 and "1" or "0", at + 4 end
  local list = {}
  for n = 1, count do list[n] = at[2 * n + 1] == 1 and "1" or "0" end
  return table.concat(list), at + 2 + 2 * count
end

function handlers.B(conn, at)
  local portal = ffi.string(at)
  local name = ffi.string(at + #portal + 1)
  local prepared = conn.statements[name]
  if prepared == nil then return fail(conn, "26000", ('prepared statement "%s" does not exist'):format(name)) end
  if not mayRun(conn, prepared.statement) then return end
  local formats
  formats, at = formatsAt(at + #portal + #name + 2)
  local count, values = int2At(at), portal == "" and conn.unnamed.values or {}
  if count ~= #prepared.params then
    return fail(conn, "08P01", ('bind message supplies %d parameters, but prepared statement "%s" requires %d')
      :format(count, name, #prepared.params))
  end
  at = at + 2
  for n = 1, count do
    local length, type = int4At(at), prepared.params[n]
    at = at + 4
    values[n] = nil
    if length >= 0 then
      values[n] = types.fromWire(type, at, length, isBinary(formats, n))
      if values[n] == nil then
        return fail(conn, "22P02", ('invalid input syntax for type %s: "%s"'):format(
          type.name == "int4" and "integer" or type.name, ffi.string(at, length)))
      end
      at = at + length
    end
  end
  local bound = portal == "" and conn.unnamed or { values = values }
  bound.statement, bound.formats, bound.keys, bound.sent = prepared.statement, formatsAt(at), nil, 0
  conn.portals[portal] = bound
  if portal ~= "" then conn.named = true end
  put(conn, BOUND)
end

function handlers.D(conn, at)
  local name = ffi.string(at + 1)
  local statement, formats
  if at[0] == 83 then
    local prepared = conn.statements[name]
    if prepared == nil then return fail(conn, "26000", ('prepared statement "%s" does not exist'):format(name)) end
    local oids = {}
    for n, type in ipairs(prepared.params) do oids[n] = int(type.oid, 4) end
    put(conn, message("t", int(#oids, 2) .. table.concat(oids)))
    statement, formats = prepared.statement, "0"
  else
    local portal = conn.portals[name]
    if portal == nil then return fail(conn, "34000", ('portal "%s" does not exist'):format(name)) end
    statement, formats = portal.statement, portal.formats
  end
  if statement.columns == nil then return put(conn, NO_DATA) end
  local described = cached(statement, "described", formats)
  described[1] = described[1] or rowDescription(statement.columns, formats)
  put(conn, described[1])
end

function handlers.E(conn, at)
  local name = ffi.string(at)
  local portal = conn.portals[name]
  if portal == nil then return fail(conn, "34000", ('portal "%s" does not exist'):format(name)) end
  if mayRun(conn, portal.statement) then run(conn, portal, int4At(at + #name + 1)) end
end

function handlers.C(conn, at)
  local list = at[0] == 83 and conn.statements or conn.portals
  list[ffi.string(at + 1)] = nil
  put(conn, CLOSED)
end

function handlers.H(conn) conn.flush = true end

function handlers.S(conn)
  conn.skipping = false
  if conn.status == "I" then
    conn.portals[""] = nil
    if conn.named then conn.portals, conn.named = {}, false end
  end
  put(conn, READY[conn.status])
  conn.flush = true
end

function handlers.X(conn) conn.closing = true end

local function tellSettings(conn, asked)
  local settings = {
    { "application_name", asked.application_name or "" }, { "client_encoding", "UTF8" }, { "DateStyle", "ISO, MDY" },
    { "integer_datetimes", "on" }, { "server_encoding", "UTF8" }, { "server_version", "15.0 (null)" },
    { "standard_conforming_strings", "on" }, { "TimeZone", "Etc/UTC" },
  }
  for _, each in ipairs(settings) do put(conn, message("S", each[1] .. "\0" .. each[2] .. "\0")) end
end

-- Handles messages before the protocol proper; returns the bytes that were used.
local function startUp(conn, at, have)
  if have < 8 then return 0 end
  local length, code = int4At(at), int4At(at + 4)
  if length < 8 or length > 10000 then
    fatal(conn, "08P01", "invalid length of startup packet")
    return have
  end
  if have < length then return 0 end
  if code == 80877103 or code == 80877104 then
    -- Neither TLS nor GSSAPI.
    put(conn, "N")
    conn.flush = true
    return length
  elseif code == 80877102 then
    -- A request to cancel: nothing here takes so long.
    conn.closing = true
    return length
  elseif math.floor(code / 65536) ~= 3 then
    fatal(conn, "0A000", "unsupported frontend protocol: server supports 3.0 to 3.0")
    return length
  end
  local asked, place = {}, 8
  while place < length and at[place] ~= 0 do
    local key = ffi.string(at + place)
    local value = ffi.string(at + place + #key + 1)
    asked[key], place = value, place + #key + #value + 2
  end
  if not asked.user then
    fatal(conn, "28000", "no PostgreSQL user name specified in startup packet")
  elseif not sockets.admit(conn, asked.database or asked.user) then
    fatal(conn, "53300", "sorry, too many clients already")
  else
    if code % 65536 > 0 then put(conn, message("v", int(0, 4) .. int(0, 4))) end
    put(conn, message("R", int(0, 4)))
    tellSettings(conn, asked)
    put(conn, message("K", int(conn.fd, 4) .. int(1, 4)) .. READY.I)
    conn.started, conn.flush = true, true
  end
  return length
end

local service = {
  name = "null PostgreSQL",
  version = "protocol 3",
  variable = "PGPASSWORD",
  connections = 100,
  kinds = {
    P = "parse", B = "bind", D = "describe", E = "execute", S = "sync", Q = "query", C = "close", H = "flush",
    X = "terminate",
  },
}

function service.open(conn)
  conn.started, conn.status, conn.simple, conn.skipping, conn.named = false, "I", false, false, false
  -- The portal without a name is made anew all the time.
  conn.statements, conn.portals, conn.unnamed = {}, {}, { values = {} }
end

local KINDS = {}
for byte = 0, 255 do KINDS[byte] = string.char(byte) end

function service.read(conn, bytes, have)
  local used = 0
  while not conn.closing do
    local left, at = have - used, bytes + used
    if not conn.started then
      local taken = startUp(conn, at, left)
      if taken == 0 then break end
      used = used + taken
    else
      if left < 5 then break end
      local kind, length = KINDS[at[0]], int4At(at + 1)
      local handle = handlers[kind]
      if handle == nil or length < 4 then
        sockets.countUnknown(conn, "message " .. kind)
        fatal(conn, "08P01", "invalid frontend message type " .. at[0])
        break
      end
      if left < length + 1 then break end
      sockets.count(conn, kind)
      if not conn.skipping or kind == "S" or kind == "X" then handle(conn, at + 5, length - 4) end
      used = used + length + 1
    end
  end
  return used
end

-- Rows are many and live long: they are looked through more rarely.
collectgarbage("setpause", 400)
sockets.serve(service)
