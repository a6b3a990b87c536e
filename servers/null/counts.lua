-- What clients of a null service do, counted by group: PostgreSQL's database, or the number of Redis'. See docs/services.md.
local counts = {}

-- What clients name beyond so many groups is counted in "".
local MOST_GROUPS, LONGEST_NAME = 1000, 63
local groups, held = {}, 0

-- Counts of the clients of one group.
function counts.of(name)
  name = name:sub(1, LONGEST_NAME)
  local group = groups[name]
  if group == nil and name ~= "" and held == MOST_GROUPS then return counts.of("") end
  if group == nil then
    held = held + 1
    group = {
      messages = 0, round_trips = 0, bytes_in = 0, bytes_out = 0, opened = 0, closed = 0, refused = 0, unknown = 0,
      kinds = {}, unknown_texts = {},
    }
    groups[name] = group
  end
  return group
end

local limit, admitted = 0, 0

-- Sets the most clients at once.
function counts.limit(most) limit = most end

-- Lets a client in and counts it in its group from now on; false, and counted as refused, where there are too many.
function counts.admit(conn, name)
  conn.counts = counts.of(name)
  if admitted >= limit then
    conn.counts.refused = conn.counts.refused + 1
    return false
  end
  admitted, conn.admitted = admitted + 1, true
  conn.counts.opened = conn.counts.opened + 1
  return true
end

-- The same client goes on in another group.
function counts.regroup(conn, name)
  conn.counts.closed = conn.counts.closed + 1
  conn.counts = counts.of(name)
  conn.counts.opened = conn.counts.opened + 1
end

-- A client has gone.
function counts.gone(conn)
  if not conn.admitted then return end
  admitted = admitted - 1
  conn.counts.closed = conn.counts.closed + 1
end

-- Counts a message of some kind; whoever counts does it before the reply is sent.
function counts.add(conn, kind)
  local group = conn.counts
  group.messages = group.messages + 1
  group.kinds[kind] = (group.kinds[kind] or 0) + 1
  conn.asked = true
end

-- Counts what has no answer, and keeps the beginnings of the first few texts.
function counts.addUnknown(conn, text)
  local group = conn.counts
  group.unknown = group.unknown + 1
  if #group.unknown_texts < 20 then table.insert(group.unknown_texts, text:sub(1, 500)) end
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\\128-\255]', function(char) return ("\\u%04x"):format(char:byte()) end) .. '"'
end

local function json(value)
  if type(value) ~= "table" then return type(value) == "string" and quoted(value) or ("%.0f"):format(value) end
  local parts = {}
  if value[1] ~= nil then
    for _, each in ipairs(value) do table.insert(parts, json(each)) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, each in pairs(value) do
    -- An empty list looks like an empty object.
    local empty = key == "unknown_texts" and next(each) == nil
    table.insert(parts, quoted(tostring(key)) .. ":" .. (empty and "[]" or json(each)))
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- Counts of all groups, in one flat table; kinds by the names that a service gives them.
local function totals(kindNames)
  local all = {}
  local function add(key, value) all[key] = (all[key] or 0) + value end
  for _, group in pairs(groups) do
    for key, value in pairs(group) do
      if type(value) == "number" then add(key, value) end
    end
    for kind, value in pairs(group.kinds) do add(kindNames[kind] or kind:lower(), value) end
  end
  return all
end

-- The answer to a line of a control connection: a line of JSON.
function counts.answer(line, kindNames)
  local most = #line < 16 and line:match("^limit (%d+)$")
  if most then limit = tonumber(most) end
  return line == "totals" and json(totals(kindNames)) .. "\n"
    or (line == "counts" or most) and json({ limit = limit, groups = groups }) .. "\n"
    or '{"error":"counts, totals, or limit N"}\n'
end

return counts
