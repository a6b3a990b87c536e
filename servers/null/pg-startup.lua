-- How a client of the null PostgreSQL is let in: its messages before the protocol proper have no kind.
local types = require("pg-types")
local fields = require("pg-fields")
local messages = require("pg-messages")
local counts = require("counts")
local sockets = require("sockets")

local put, int, message, fatal = sockets.put, types.int, messages.of, messages.fatal
local int4, textAt = fields.int4, fields.text
local LONGEST = 10000

local function tellSettings(conn, asked)
  local settings = {
    { "application_name", asked.application_name or "" }, { "client_encoding", "UTF8" }, { "DateStyle", "ISO, MDY" },
    { "integer_datetimes", "on" }, { "server_encoding", "UTF8" }, { "server_version", "15.0 (null)" },
    { "standard_conforming_strings", "on" }, { "TimeZone", "Etc/UTC" },
  }
  for _, each in ipairs(settings) do put(conn, message("S", each[1] .. "\0" .. each[2] .. "\0")) end
end

local function int4At(bytes, at) return (int4(bytes, at, at + 4)) end

-- What a client says of itself, by name, from a place up to the message's end.
local function parametersAt(bytes, at, stop)
  local asked, name = {}, nil
  while at < stop and bytes[at] ~= 0 do
    name, at = textAt(bytes, at, stop)
    asked[name], at = textAt(bytes, at, stop)
  end
  fields.done(at + 1, stop)
  return asked
end

-- Handles messages before the protocol proper; returns the bytes that were used.
local function startUp(conn, bytes, at, have)
  if have < 4 then return 0 end
  local length = int4At(bytes, at)
  if length < 8 or length > LONGEST then
    fatal(conn, "08P01", "invalid length of startup packet")
    return have
  end
  if have < length then return 0 end
  local code, stop = int4At(bytes, at + 4), at + length
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
  local byte = bytes[stop]
  bytes[stop] = 0
  local asked = parametersAt(bytes, at + 8, stop)
  bytes[stop] = byte
  if not asked.user then
    fatal(conn, "28000", "no PostgreSQL user name specified in startup packet")
  elseif not counts.admit(conn, asked.database or asked.user) then
    fatal(conn, "53300", "sorry, too many clients already")
  else
    if code % 65536 > 0 then put(conn, message("v", int(0, 4) .. int(0, 4))) end
    put(conn, message("R", int(0, 4)))
    tellSettings(conn, asked)
    put(conn, message("K", int(conn.fd, 4) .. int(1, 4)) .. messages.READY.I)
    conn.started, conn.flush = true, true
  end
  return length
end

return startUp
