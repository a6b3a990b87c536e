-- Replies of the null PostgreSQL by their SQL, of which each text is read once: what has no table stands here.
local types = require("pg-types")
local words = require("pg-tokens")
local selects = require("pg-select")
local changes = require("pg-changes")

local SETTINGS = {
  server_version = "15.0 (null)", server_version_num = "150000", transaction_isolation = "read committed",
  default_transaction_isolation = "read committed", standard_conforming_strings = "on", client_encoding = "UTF8",
  search_path = '"$user", public', timezone = "Etc/UTC", max_connections = wrk.headers.connections or "100",
  statement_timeout = "0", datestyle = "ISO, MDY", server_encoding = "UTF8",
}
local CALLS = {
  version = "PostgreSQL 15.0 (null)", current_schema = "public", current_database = "null", current_user = "postgres",
  session_user = "postgres", pg_backend_pid = "1",
}

-- A statement with fixed rows: `rows(values)` lists keys of rows, `row(key)` is a list of texts.
local function fixed(columns, rows)
  local keys = {}
  for n = 1, #rows do keys[n] = n end
  return { tag = "SELECT", columns = columns, rows = function() return keys end, row = function(key) return rows[key] end }
end

-- `select 1`, `select version()`, `select $1::int as x`.
local function literals(reader)
  local columns, items = {}, {}
  reader.list(function()
    local name, value = "?column?", nil
    if reader.kind() == "word" and not reader.peek("cast") and not reader.peek("null") and not reader.peek("true") then
      name = reader.name()
      value = CALLS[name] and { text = CALLS[name], type = types.byName.text } or reader.stop()
      if reader.take("(") then reader.need(")") end
    else
      value = reader.value()
      if value.param or value.cast then name = (value.type or types.byName.text).name end
    end
    local _ = reader.take("as")
    if not reader.past() and not reader.peek(",") and not reader.peek("from") then name = reader.name() end
    table.insert(items, value)
    table.insert(columns, { name = name, type = value.type or types.byName.text })
    return value
  end)
  if not reader.past() then reader.stop() end
  selects.fit(columns)
  return {
    tag = "SELECT", columns = columns, uncached = true,
    rows = function(values)
      local row = {}
      for n, item in ipairs(items) do row[n] = words.valueOf(item, values) end
      return { row }
    end,
    row = function(row) return row end,
  }
end

local function showOf(reader)
  local name = reader.name()
  if name == "transaction" then
    reader.need("isolation")
    reader.need("level")
    name = "transaction_isolation"
  elseif name == "time" then
    reader.need("zone")
    name = "timezone"
  end
  local statement = fixed({ { name = name, type = types.byName.text } }, { { SETTINGS[name] or reader.stop() } })
  statement.tag, statement.uncounted = "SHOW", true
  return statement
end

-- Commands that end or begin something, by their first word: the tag and what it does to a transaction.
local COMMANDS = {
  begin = { "BEGIN", "begin" }, start = { "START TRANSACTION", "begin" }, commit = { "COMMIT", "commit" },
  ["end"] = { "COMMIT", "commit" }, rollback = { "ROLLBACK", "rollback" }, abort = { "ROLLBACK", "rollback" },
  savepoint = { "SAVEPOINT" }, release = { "RELEASE" }, set = { "SET" }, reset = { "RESET" }, listen = { "LISTEN" },
  unlisten = { "UNLISTEN" },
}

local function commandOf(tokens)
  local first = tokens[1].text
  local second = tokens[2] and tokens[2].text
  if first == "discard" and second == "all" then return { tag = "DISCARD ALL", forget = "all" } end
  if first == "deallocate" and second then
    local name = tokens[#tokens].text
    local all = tokens[#tokens].kind == "word" and name == "all"
    return { tag = all and "DEALLOCATE ALL" or "DEALLOCATE", forget = name }
  end
  local known = COMMANDS[first]
  if known == nil then return nil end
  local back = first == "rollback" and (second == "to" or (tokens[3] and tokens[3].text == "to"))
  return { tag = known[1], transaction = back and "back" or known[2] }
end

local ARRAYS = {}
for _, name in ipairs({ "bool", "bytea", "int8", "int2", "int4", "text", "json", "float8", "varchar", "timestamptz", "uuid" }) do
  local type = types.byName[name]
  table.insert(ARRAYS, { tostring(type.oid), tostring(type.array.oid) })
end
local OID = types.byName.oid

-- Questions drivers ask by themselves: a beginning of the text with single spaces, and the answer. postgres asks the first.
local ASKED = {
  {
    "select b.oid, b.typarray from pg_catalog.pg_type a left join pg_catalog.pg_type b",
    fixed({ { name = "oid", type = OID }, { name = "typarray", type = OID } }, ARRAYS),
  },
}

local function read(sql, tables)
  local plain = sql:gsub("%s+", " "):gsub("^ ", "")
  for _, asked in ipairs(ASKED) do
    if plain:lower():sub(1, #asked[1]) == asked[1] then return asked[2] end
  end
  local tokens = words.of(sql)
  if #tokens == 0 then return { tag = "", empty = true } end
  local first = tokens[1].text
  local command = commandOf(tokens)
  if command then return command end
  if first == "select" then
    local from = selects.placeOfFrom(tokens)
    if from then return selects.from(tokens, from, tables) end
  end
  local reader = words.reader(tokens)
  reader.next()
  local kinds = {
    select = literals, update = changes.update, delete = changes.delete, insert = changes.insert, show = showOf,
  }
  local statement = (kinds[first] or reader.stop)(reader, tables)
  if not reader.past() then reader.stop() end
  statement.params = reader.params
  return statement
end

local statements = {}

-- Types of parameters; one that no value has is text.
local function filled(params)
  local most, list = 0, {}
  for n in pairs(params) do most = math.max(most, n) end
  for n = 1, most do list[n] = params[n] or types.byName.text end
  return list
end

-- The statements of a text of the simple protocol.
function statements.split(sql)
  local list, from, quote = {}, 1, nil
  for at, char in sql:gmatch("()(['\";])") do
    if quote == nil and char == ";" then
      table.insert(list, sql:sub(from, at - 1))
      from = at + 1
    elseif quote == nil then
      quote = char
    elseif quote == char then
      quote = nil
    end
  end
  table.insert(list, sql:sub(from))
  local whole = {}
  for _, text in ipairs(list) do
    if text:match("%S") then table.insert(whole, text) end
  end
  return whole
end

-- The most texts that are known, and their bytes in all. What is made of a text takes many times its bytes.
local MOST, MOST_BYTES = 10000, 4 * 1024 * 1024

-- Makes the function that reads SQL: a statement, or nil where there is no answer, with the error where it has a code.
function statements.reader(tables)
  local known, held, bytes = {}, 0, 0
  return function(sql)
    local statement = known[sql]
    if statement ~= nil then return statement end
    local fine, result = pcall(read, sql:gsub(";%s*$", ""), tables)
    if not fine and type(result) == "string" and result:find("stack overflow", 1, true) then
      return nil, { code = "54001", text = "stack depth limit exceeded" }
    end
    if not fine and type(result) ~= "table" then error(result, 0) end
    if not fine then return nil, result.code and result end
    result.params, result.bytes = filled(result.params or {}), #sql
    -- Texts with values in them may be endless.
    held, bytes = held + 1, bytes + #sql
    if held > MOST or bytes > MOST_BYTES then known, held, bytes = {}, 1, #sql end
    known[sql] = result
    return result
  end
end

return statements
