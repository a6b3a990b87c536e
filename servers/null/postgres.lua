-- A PostgreSQL that does nothing: it speaks the wire protocol, version 3, and answers with rows it was given. A driver is
-- then the limit of whoever asks, and what it asks is counted. See docs/services.md. Longer than 300 lines because every
-- message changes the state of its connection, and all of them are here.
--
-- wrk -s postgres.lua -H "table-world: world.tsv" [-H "connections: 100"] [-H "control: PORT"] http://127.0.0.1:PORT
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local counts = require("counts")
local sockets = require("sockets")
local types = require("pg-types")
local fields = require("pg-fields")
local messages = require("pg-messages")
local startUp = require("pg-startup")
local cache = require("pg-cache")
local tables = require("pg-tables")
local statements = require("pg-statements")

local put, int = sockets.put, types.int
local fail, textAt, int4, int2, done = fields.fail, fields.text, fields.int4, fields.int2, fields.done

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

local message, fatal, READY = messages.of, messages.fatal, messages.READY
local PARSED, BOUND, CLOSED, NO_DATA = message("1", ""), message("2", ""), message("3", ""), message("n", "")
local EMPTY, SUSPENDED = message("I", ""), message("s", "")

local completed = {}
local function complete(conn, tag)
  if completed[tag] == nil then completed[tag] = message("C", tag .. "\0") end
  put(conn, completed[tag])
end

-- Throws an error for something that there is no answer for, and counts it.
local function unknown(conn, what, text)
  counts.addUnknown(conn, what)
  fail("0A000", "null service: no " .. text)
end

-- The statement of a text.
local function understood(conn, sql)
  local statement, wrong = statementOf(sql)
  if wrong then fail(wrong.code, wrong.text) end
  return statement or unknown(conn, sql, 'answer for "' .. sql:sub(1, 500) .. '"')
end

-- Throws where a transaction has failed and this does not end it.
local function mayRun(conn, statement)
  local ends = statement.transaction ~= nil and statement.transaction ~= "begin"
  if conn.status ~= "E" or ends or statement.empty then return end
  fail("25P02", "current transaction is aborted, commands ignored until end of transaction block")
end

-- `formats` has a 0 or 1 for each column, or for all in one.
local function isBinary(formats, column) return (#formats == 1 and formats or formats:sub(column, column)) == "1" end

local function rowDescription(columns, formats)
  local parts = {}
  for n, column in ipairs(columns) do
    parts[n] = column.name .. "\0" .. ("\0"):rep(6) .. int(column.type.oid, 4) .. int(column.type.size, 2)
      .. "\255\255\255\255\0" .. (isBinary(formats, n) and "\1" or "\0")
  end
  return message("T", int(#columns, 2) .. table.concat(parts))
end

local function dataRow(conn, statement, formats, key)
  local row, parts = statement.row(key), {}
  for n, column in ipairs(statement.columns) do
    local text = row[n]
    if type(text) == "table" then unknown(conn, "text " .. column.type.name, "text form of an array") end
    if text ~= nil and isBinary(formats, n) then
      text = types.toBinary(column.type, text)
        or unknown(conn, "binary " .. column.type.name, "binary form of " .. column.type.name)
    end
    parts[n] = text == nil and "\255\255\255\255" or int(#text, 4) .. text
  end
  return message("D", int(#statement.columns, 2) .. table.concat(parts))
end

local NO_ROWS = {}

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

-- The most bytes that the named statements and portals of a connection take, about.
local MOST_KEPT = 16 * 1024 * 1024

local function keep(conn, bytes)
  if conn.kept + bytes > MOST_KEPT then fail("53200", "null service: too many statements or portals are open") end
  conn.kept = conn.kept + bytes
end

local function bytesOf(name, prepared) return 200 + #name + prepared.statement.bytes + 8 * #prepared.params end

local function closeStatement(conn, name)
  local prepared = conn.statements[name]
  if prepared and name ~= "" then conn.kept = conn.kept - bytesOf(name, prepared) end
  conn.statements[name] = nil
end

-- Forgets what DEALLOCATE or DISCARD names.
local function forget(conn, name)
  if name ~= "all" then return closeStatement(conn, name) end
  for known in pairs(conn.statements) do closeStatement(conn, known) end
end

local function closePortal(conn, name)
  local portal = conn.portals[name]
  if portal and portal.bytes then conn.kept = conn.kept - portal.bytes end
  conn.portals[name] = nil
end

-- Sends rows of a portal, and its end where that is reached.
local function sendRows(conn, portal, most)
  local statement = portal.statement
  portal.keys = portal.keys or statement.rows(portal.values)
  local keys, rows = portal.keys, cache.of("rows", statement, portal.formats)
  local last = most > 0 and math.min(portal.sent + most, #keys) or #keys
  for n = portal.sent + 1, last do
    local key = keys[n]
    local row = rows[key]
    if row == nil then
      row = dataRow(conn, statement, portal.formats, key)
      if not statement.uncached then cache.keep(rows, key, row) end
    end
    put(conn, row)
  end
  local sent = last - portal.sent
  portal.sent = last
  if last < #keys then return put(conn, SUSPENDED) end
  complete(conn, statement.uncounted and statement.tag or statement.tag .. " " .. sent)
end

-- Runs a portal. The whole answer to a statement with one parameter is kept by its value.
local function run(conn, portal, most)
  local statement, value = portal.statement, portal.values[1]
  if statement.empty then return put(conn, EMPTY) end
  if statement.columns == nil then
    if portal.keys then fail("55000", "a portal that has run cannot be run again") end
    portal.keys = NO_ROWS
    local tag = changeTransaction(conn, statement.transaction, statement.tag)
    if statement.forget then forget(conn, statement.forget) end
    if statement.changes then tag = tag .. " " .. statement.changes(portal.values) end
    return complete(conn, tag)
  end
  if most > 0 or portal.keys or #statement.params ~= 1 or type(value) ~= "string" or statement.uncached then
    return sendRows(conn, portal, most)
  end
  local answers = cache.of("answers", statement, portal.formats)
  local answer = answers[value]
  if answer == nil then
    local before = conn.filled
    sendRows(conn, portal, 0)
    cache.keep(answers, value, ffi.string(conn.output + before, conn.filled - before))
    return
  end
  portal.keys, portal.sent = NO_ROWS, 0
  put(conn, answer)
end

-- Says that the next batch may come. Portals end with their transaction.
local function beReady(conn)
  if conn.status == "I" then
    conn.portals[""] = nil
    if conn.named then
      for name in pairs(conn.portals) do closePortal(conn, name) end
      conn.named = false
    end
  end
  put(conn, READY[conn.status])
  conn.flush = true
end

-- Each reads its message from a place up to the message's end, and throws errors.
local handlers = {}

-- The most bytes of a message, by kind. Others are short: PostgreSQL has the same bound for them.
local SHORT, LONGEST = 10000, { Q = 1024 * 1024, P = 1024 * 1024, B = sockets.LONGEST, d = sockets.LONGEST }

function handlers.Q(conn, bytes, at, stop)
  local sql
  sql, at = textAt(bytes, at, stop)
  done(at, stop)
  local texts = statements.split(sql)
  conn.statements[""], conn.portals[""] = nil, nil
  if #texts == 0 then put(conn, EMPTY) end
  for _, text in ipairs(texts) do
    local statement = understood(conn, text)
    mayRun(conn, statement)
    if #statement.params > 0 then fail("42P02", "there is no parameter $1") end
    if statement.columns then put(conn, rowDescription(statement.columns, "0")) end
    run(conn, { statement = statement, values = {}, formats = "0", sent = 0 }, 0)
  end
  beReady(conn)
end

function handlers.P(conn, bytes, at, stop)
  local name, sql, given
  name, at = textAt(bytes, at, stop)
  sql, at = textAt(bytes, at, stop)
  given, at = int2(bytes, at, stop)
  fields.need(at, stop, 4 * given)
  done(at + 4 * given, stop)
  if name ~= "" and conn.statements[name] then fail("42P05", 'prepared statement "' .. name .. '" already exists') end
  local statement = understood(conn, sql)
  mayRun(conn, statement)
  local prepared
  if given == 0 then
    statement.prepared = statement.prepared or { statement = statement, params = statement.params }
    prepared = statement.prepared
  else
    prepared = { statement = statement, params = {} }
    for n = 1, math.max(#statement.params, given) do
      local oid = 0
      if n <= given then
        oid, at = int4(bytes, at, stop)
      end
      prepared.params[n] = types.byOid[oid] or statement.params[n] or types.byName.text
    end
  end
  if name ~= "" then keep(conn, bytesOf(name, prepared)) end
  conn.statements[name] = prepared
  put(conn, PARSED)
end

-- Throws unless formats are one for all, or as many as what they are for.
local function fit(formats, count, what)
  if #formats > 1 and #formats ~= count then
    fail("08P01", ("bind message has %d formats but %d %s"):format(#formats, count, what))
  end
end

-- Reads values of parameters.
local function valuesAt(bytes, at, stop, params, formats, values)
  for n = 1, #params do
    local length
    length, at = int4(bytes, at, stop)
    values[n] = nil
    if length ~= -1 then
      local type = params[n]
      fields.need(at, stop, length)
      values[n] = types.fromWire(type, bytes, at, length, isBinary(formats, n))
      if values[n] == nil then
        fail("22P02", ('invalid input syntax for type %s: "%s"'):format(
          types.wordFor(type), ffi.string(bytes + at, math.min(length, 100))))
      end
      at = at + length
    end
  end
  return at
end

function handlers.B(conn, bytes, at, stop)
  local portal, name, formats, count, results
  local start = at
  portal, at = textAt(bytes, at, stop)
  name, at = textAt(bytes, at, stop)
  local prepared = conn.statements[name]
  if prepared == nil then fail("26000", ('prepared statement "%s" does not exist'):format(name)) end
  formats, at = fields.formats(bytes, at, stop)
  count, at = int2(bytes, at, stop)
  fit(formats, count, "parameters")
  if count ~= #prepared.params then
    fail("08P01", ('bind message supplies %d parameters, but prepared statement "%s" requires %d')
      :format(count, name, #prepared.params))
  end
  mayRun(conn, prepared.statement)
  local bound = portal == "" and conn.unnamed or { values = {} }
  at = valuesAt(bytes, at, stop, prepared.params, formats, bound.values)
  results, at = fields.formats(bytes, at, stop)
  done(at, stop)
  if prepared.statement.columns then fit(results, #prepared.statement.columns, "columns") end
  if portal ~= "" then
    if conn.portals[portal] then fail("42P03", 'cursor "' .. portal .. '" already exists') end
    bound.bytes = 500 + (stop - start)
    keep(conn, bound.bytes)
    conn.named = true
  end
  bound.statement, bound.formats, bound.keys, bound.sent = prepared.statement, results, nil, 0
  conn.portals[portal] = bound
  put(conn, BOUND)
end

-- Whether a message is about a statement or a portal, its name, and the one of these it names.
local function namedAt(conn, bytes, at, stop, what)
  local kind, name
  kind, at = fields.byte(bytes, at, stop)
  name, at = textAt(bytes, at, stop)
  done(at, stop)
  if kind ~= 83 and kind ~= 80 then fail("08P01", ("invalid %s message subtype %d"):format(what, kind)) end
  return kind == 83, name, (kind == 83 and conn.statements or conn.portals)[name]
end

function handlers.D(conn, bytes, at, stop)
  local isStatement, name, found = namedAt(conn, bytes, at, stop, "DESCRIBE")
  if isStatement then
    if found == nil then fail("26000", ('prepared statement "%s" does not exist'):format(name)) end
    local oids = {}
    for n, type in ipairs(found.params) do oids[n] = int(type.oid, 4) end
    put(conn, message("t", int(#oids, 2) .. table.concat(oids)))
  elseif found == nil then
    fail("34000", ('portal "%s" does not exist'):format(name))
  end
  local statement, formats = found.statement, isStatement and "0" or found.formats
  if statement.columns == nil then return put(conn, NO_DATA) end
  local described = cache.of("descriptions", statement, formats)
  if described[1] == nil then cache.keep(described, 1, rowDescription(statement.columns, formats)) end
  put(conn, described[1])
end

function handlers.E(conn, bytes, at, stop)
  local name, most
  name, at = textAt(bytes, at, stop)
  most, at = int4(bytes, at, stop)
  done(at, stop)
  local portal = conn.portals[name]
  if portal == nil then fail("34000", ('portal "%s" does not exist'):format(name)) end
  mayRun(conn, portal.statement)
  run(conn, portal, most)
end

function handlers.C(conn, bytes, at, stop)
  local isStatement, name = namedAt(conn, bytes, at, stop, "CLOSE")
  if isStatement then
    closeStatement(conn, name)
  else
    closePortal(conn, name)
  end
  put(conn, CLOSED)
end

function handlers.H(conn, bytes, at, stop)
  done(at, stop)
  conn.flush = true
end

function handlers.S(conn, bytes, at, stop)
  conn.skipping = false
  done(at, stop)
  beReady(conn)
end

function handlers.X(conn) conn.closing = true end

-- What may still come after a COPY that was refused.
function handlers.d() end
handlers.c, handlers.f = handlers.d, handlers.d

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
  conn.started, conn.status, conn.skipping, conn.named = false, "I", false, false
  -- The portal without a name is made anew all the time.
  conn.statements, conn.portals, conn.unnamed, conn.kept = {}, {}, { values = {} }, 0
end

local KINDS = {}
for byte = 0, 255 do KINDS[byte] = string.char(byte) end

local function refused(conn, kind, length)
  counts.addUnknown(conn, "message " .. kind .. (length and " of " .. length or ""))
  fatal(conn, "08P01", length and "invalid message length" or "invalid frontend message type " .. kind:byte())
end

function service.read(conn, bytes, have)
  local at = 0
  while not conn.closing and conn.filled < sockets.FULL do
    local left = have - at
    if not conn.started then
      local taken = startUp(conn, bytes, at, left)
      if taken == 0 then break end
      at = at + taken
    else
      if left < 5 then break end
      local kind, length = KINDS[bytes[at]], int4(bytes, at + 1, have)
      local handle = handlers[kind]
      if handle == nil or length < 4 or length > (LONGEST[kind] or SHORT) then
        refused(conn, kind, handle and length)
        break
      end
      if left < length + 1 then break end
      counts.add(conn, kind)
      local from, stop = at + 5, at + length + 1
      if not conn.skipping or kind == "S" or kind == "X" then
        local byte = bytes[stop]
        conn.kind, conn.used, conn.byte = kind, stop, byte
        bytes[stop] = 0
        handle(conn, bytes, from, stop)
        bytes[stop] = byte
      end
      at = stop
    end
  end
  return at
end

-- Says an error that was thrown while a message was read, at once; returns the bytes that were used, or nothing where it is
-- no error of the client's. In the extended protocol all is passed over up to the next Sync. LuaJIT compiles a loop that
-- catches no errors itself.
function service.failed(conn, wrong, bytes)
  if type(wrong) ~= "table" or not wrong.code then return nil end
  if not conn.started then
    fatal(conn, "08P01", "invalid startup packet layout: expected terminator as last byte")
    return 0
  end
  local kind = conn.kind
  bytes[conn.used] = conn.byte
  put(conn, messages.error("ERROR", wrong.code, wrong.text))
  conn.flush = true
  if conn.status == "T" then conn.status = "E" end
  conn.skipping = kind ~= "Q" and kind ~= "S"
  if not conn.skipping then beReady(conn) end
  return conn.used
end

-- Rows are many and live long: they are looked through more rarely.
collectgarbage("setpause", 400)
sockets.serve(service)
