-- Messages of PostgreSQL's server that need no rows.
local int = require("pg-types").int
local put = require("sockets").put

local messages = {}

function messages.of(kind, body) return kind .. int(#body + 4, 4) .. body end

-- An error, of which a zero would end the text.
function messages.error(severity, code, text)
  return messages.of("E", ("S%s\0V%s\0C%s\0M%s\0\0"):format(severity, severity, code, (text:gsub("%z", " "))))
end

-- Ends a connection with an error.
function messages.fatal(conn, code, text)
  put(conn, messages.error("FATAL", code, text))
  conn.flush, conn.closing = true, true
end

messages.READY = { I = messages.of("Z", "I"), T = messages.of("Z", "T"), E = messages.of("Z", "E") }

return messages
