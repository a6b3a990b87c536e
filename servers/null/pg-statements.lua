-- Replies of the null PostgreSQL by their SQL. Statements on one table are understood, with equality alone in WHERE; rows
-- stay as they are, whatever is written. Each text is read once. Longer than 300 lines because reading a statement and
-- answering it know the same forms.
local types = require("pg-types")

local RESERVED = {}
for word in ("select from where order by limit offset for set values returning on as and in any case when then else end " ..
  "update insert into delete group having union join left inner"):gmatch("%S+") do
  RESERVED[word] = true
end

-- Splits SQL into tokens, without comments: { kind, text }, kinds being word, name (quoted), number, text, param, sign.
local function tokensOf(sql)
  local tokens, at, textEnd = {}, 1, nil
  local function take(kind, pattern, clean)
    local text, past = sql:match("^" .. pattern .. "()", at)
    if not text then return false end
    if kind == "text" and textEnd == at then
      -- Two quotes in a row are one of the text.
      tokens[#tokens].text = tokens[#tokens].text .. "'" .. text
    elseif kind then
      table.insert(tokens, { kind = kind, text = clean and clean(text) or text })
    end
    at = past
    textEnd = kind == "text" and at or nil
    return true
  end
  while at <= #sql do
    local _ = take(nil, "(%s+)") or take(nil, "(%-%-[^\n]*)") or take(nil, "(/%*.-%*/)")
      or take("word", "([%a_][%w_]*)", string.lower) or take("param", "%$(%d+)") or take("number", "(%-?%d+%.?%d*)")
      or take("name", '"([^"]*)"')
      or take("text", "'([^']*)'") or take("sign", "(::)") or take("sign", "(<>)") or take("sign", "(.)")
  end
  return tokens
end

-- Reads tokens one after the other. Whoever finds something else than it knows throws.
local function readerOf(tokens)
  local at, reader = 1, { params = {} }
  local function stop() error({ unknown = true }, 0) end
  reader.stop = stop
  function reader.peek(text, further)
    local token = tokens[at + (further or 0)]
    return token ~= nil and token.text == text and (token.kind == "word" or token.kind == "sign")
  end
  function reader.kind() return tokens[at] and tokens[at].kind end
  function reader.past() return tokens[at] == nil end
  function reader.next()
    at = at + 1
    return tokens[at - 1] or stop()
  end
  function reader.take(text)
    if not reader.peek(text) then return false end
    at = at + 1
    return true
  end
  function reader.need(text) return reader.take(text) or stop() end
  function reader.takeAll(words)
    local n = 0
    for word in words:gmatch("%S+") do
      if not reader.peek(word, n) then return false end
      n = n + 1
    end
    at = at + n
    return true
  end
  -- A name, of which qualifiers are forgotten.
  function reader.name()
    local name
    repeat
      local token = reader.next()
      if token.kind ~= "name" and (token.kind ~= "word" or RESERVED[token.text]) then stop() end
      name = token.text
    until not reader.take(".")
    return name
  end
  function reader.list(read)
    local list = {}
    repeat table.insert(list, read()) until not reader.take(",")
    return list
  end
  function reader.type()
    local word = reader.next().text
    if reader.take("(") then
      reader.next()
      reader.need(")")
    end
    if reader.take("[") then
      reader.need("]")
      word = word .. "[]"
    end
    return types.byName[word] or stop()
  end
  -- A value that is known or comes as a parameter: { text = } or { param =, type = }. The type is what is expected.
  function reader.value(type)
    if reader.takeAll("cast (") then
      local value = reader.value(type)
      reader.need("as")
      value.type = reader.type()
      reader.params[value.param or 0] = value.type
      reader.need(")")
      return value
    end
    if reader.take("(") then
      local value = reader.value(type)
      reader.need(")")
      while reader.take("::") do reader.type() end
      return value
    end
    local token, value = reader.next(), nil
    if token.kind == "param" then
      value = { param = tonumber(token.text) }
      if reader.params[value.param] == nil then reader.params[value.param] = type or types.byName.text end
    elseif token.kind == "number" or token.kind == "text" then
      if type and token.kind == "text" and types.isWhole(type) and tonumber(token.text) == nil then
        error({ code = "22P02", text = ('invalid input syntax for type integer: "%s"'):format(token.text) }, 0)
      end
      value = { text = token.text, type = types.byName[token.kind == "number" and "int4" or "text"] }
    elseif token.text == "true" or token.text == "false" then
      value = { text = token.text:sub(1, 1), type = types.byName.bool }
    elseif token.text == "null" then
      value = { type = types.byName.text }
    else
      stop()
    end
    while reader.take("::") do
      value.type = reader.type()
      if value.param then reader.params[value.param] = value.type end
    end
    return value
  end
  return reader
end

local function valueOf(value, values)
  if value.param then return values[value.param] end
  return value.text
end

-- Adds conditions of WHERE, each { column, values } or { column, any = value }.
local function conditions(reader, from, filters, sources)
  repeat
    if reader.take("(") then
      conditions(reader, from, filters, sources)
      reader.need(")")
    elseif reader.takeAll("true") then
      -- Holds.
    elseif reader.kind() == "number" then
      local left = reader.value()
      reader.need("=")
      if reader.value().text ~= left.text then reader.stop() end
    else
      local column = from.columns[reader.name()] or reader.stop()
      local type = from.columns[column].type
      if reader.takeAll("in (") then
        table.insert(filters, { column = column, values = reader.list(function() return reader.value(type) end) })
        reader.need(")")
      else
        reader.need("=")
        if reader.takeAll("any (") then
          table.insert(filters, { column = column, any = reader.value(type.array) })
          reader.need(")")
        elseif sources and reader.kind() ~= "param" and reader.kind() ~= "number" and reader.kind() ~= "text" then
          local bracket = reader.take("(")
          local source = sources[reader.name()] or reader.stop()
          if bracket then reader.need(")") end
          if reader.take("::") then reader.type() end
          table.insert(filters, { column = column, values = source.values, any = source.any })
        else
          table.insert(filters, { column = column, values = { reader.value(type) } })
        end
      end
    end
  until not reader.take("and")
end

local function wanted(filter, values)
  if filter.any then return valueOf(filter.any, values) or {} end
  local list = {}
  for _, value in ipairs(filter.values) do table.insert(list, (valueOf(value, values))) end
  return list
end

-- Numbers of the rows that pass all conditions, in the file's order. The list is not the caller's to change.
local function matching(from, filters, values)
  local only = #filters == 1 and filters[1]
  if only and not only.any and #only.values == 1 then return from.find(only.column, (valueOf(only.values[1], values))) end
  local found, seen = {}, {}
  if #filters == 0 then
    for n = 1, from.count do found[n] = n end
    return found
  end
  for _, value in ipairs(wanted(filters[1], values)) do
    for _, n in ipairs(from.find(filters[1].column, value)) do
      if not seen[n] then table.insert(found, n) end
      seen[n] = true
    end
  end
  for place = 2, #filters do
    local passes, left = {}, {}
    for _, value in ipairs(wanted(filters[place], values)) do passes[value] = true end
    for _, n in ipairs(found) do
      if passes[from.row(n)[filters[place].column]] then table.insert(left, n) end
    end
    found = left
  end
  if #found > 1 then table.sort(found) end
  return found
end

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
  return {
    tag = "SELECT", columns = columns, uncached = true,
    rows = function(values)
      local row = {}
      for n, item in ipairs(items) do row[n] = valueOf(item, values) end
      return { row }
    end,
    row = function(row) return row end,
  }
end

-- The selected part of a table: indexes of columns, or a count.
local function projection(reader, from)
  local columns, places = {}, {}
  local function add(place, name)
    table.insert(places, place)
    table.insert(columns, { name = name or from.columns[place].name, type = from.columns[place].type })
  end
  reader.list(function()
    if reader.takeAll("count ( * )") then
      columns.count = true
      table.insert(columns, { name = "count", type = types.byName.int8 })
    elseif reader.take("*") then
      for place = 1, #from.columns do add(place) end
      return true
    else
      -- A table's star: its name is no column's.
      local token = reader.next()
      while reader.take(".") do token = reader.peek("*") and reader.next() or reader.next() end
      if token.text == "*" then
        for place = 1, #from.columns do add(place) end
        return true
      end
      add(from.columns[token.text] or reader.stop())
    end
    if reader.take("as") or reader.kind() == "name" then columns[#columns].name = reader.name() end
    return true
  end)
  return columns, places
end

local function projected(from, columns, places)
  if columns.count then return function(count) return { tostring(count) } end end
  return function(n)
    local row, picked = from.row(n), {}
    for at, place in ipairs(places) do picked[at] = row[place] end
    return picked
  end
end

local function tableAt(reader, tables)
  local from = tables[reader.name()] or reader.stop()
  if reader.take("as") or reader.kind() == "name" or (reader.kind() == "word" and not reader.peek("where")
    and not reader.peek("order") and not reader.peek("limit") and not reader.peek("offset") and not reader.peek("for")
    and not reader.peek("set") and not reader.peek("values") and not reader.peek("returning")) then
    reader.name()
  end
  return from
end

local function filtersAt(reader, from, sources)
  local filters = {}
  if reader.take("where") then conditions(reader, from, filters, sources) end
  return filters
end

-- The place of FROM outside brackets, or nil.
local function placeOfFrom(tokens)
  local depth = 0
  for n, token in ipairs(tokens) do
    if token.kind == "sign" then depth = depth + (token.text == "(" and 1 or token.text == ")" and -1 or 0) end
    if depth == 0 and token.kind == "word" and token.text == "from" then return n end
  end
end

local function selectFrom(tokens, from, tables)
  local before, after, reader = {}, {}, nil
  for n, token in ipairs(tokens) do
    if n > 1 and n < from then table.insert(before, token) end
    if n > from then table.insert(after, token) end
  end
  reader = readerOf(after)
  local source = tableAt(reader, tables)
  local head = readerOf(before)
  local columns, places = projection(head, source)
  if not head.past() then head.stop() end
  local filters = filtersAt(reader, source)
  local orders = {}
  if reader.takeAll("order by") then
    reader.list(function()
      local column = source.columns[reader.name()] or reader.stop()
      local down = reader.take("desc")
      if not down then reader.take("asc") end
      table.insert(orders, { column = column, down = down, number = source.columns[column].type.name:match("^int") })
      return true
    end)
  end
  local limit, offset
  repeat
    local more = false
    if reader.take("limit") then
      limit, more = reader.value(types.byName.int8), true
    elseif reader.take("offset") then
      offset, more = reader.value(types.byName.int8), true
    end
  until not more
  if reader.take("for") then
    if not reader.take("update") then reader.need("share") end
  end
  if not reader.past() then reader.stop() end
  local function before_(a, b)
    for _, order in ipairs(orders) do
      local x, y = source.row(a)[order.column], source.row(b)[order.column]
      if order.number then x, y = tonumber(x), tonumber(y) end
      if x ~= y then
        if order.down then x, y = y, x end
        return x < y
      end
    end
    return a < b
  end
  local statement = { tag = "SELECT", columns = columns, params = reader.params, row = projected(source, columns, places) }
  function statement.rows(values)
    local found = matching(source, filters, values)
    if columns.count then return { #found } end
    if #orders > 0 and #found > 1 then
      found = { unpack(found) }
      table.sort(found, before_)
    end
    if limit or offset then
      local first, cut = tonumber(offset and valueOf(offset, values) or 0), {}
      local most = tonumber(limit and valueOf(limit, values) or #found)
      for n = first + 1, math.min(first + most, #found) do table.insert(cut, found[n]) end
      return cut
    end
    return found
  end
  return statement
end

-- Reads `a = …, b = …` of SET as far as it says which types parameters have. Returns what single values are given, by
-- place of the column.
local function assignments(reader, from)
  local given = {}
  repeat
    local column = from.columns[reader.name()] or reader.stop()
    local type, case, depth = from.columns[column].type, nil, 0
    reader.need("=")
    if reader.kind() == "param" then given[column] = reader.value(type) end
    while not reader.past() do
      if depth == 0 and (reader.peek(",") or reader.peek("where") or reader.peek("from") or reader.peek("returning")) then
        break
      end
      if reader.kind() == "param" then
        reader.value(type)
      elseif reader.take("case") then
        local named = reader.peek("when") and column or from.columns[reader.name()] or reader.stop()
        case = from.columns[named].type
      elseif reader.take("when") then
        reader.value(case)
      else
        local text = reader.next().text
        depth = depth + (text == "(" and 1 or text == ")" and -1 or 0)
        given[column] = nil
      end
    end
  until not reader.take(",")
  return given
end

-- A statement that changes rows, of which `changed` makes lists of texts; the rest of it may be RETURNING.
local function changing(reader, from, tag, changed)
  if not reader.take("returning") then
    return { tag = tag, changes = function(values) return #changed(values) end }
  end
  local columns, places = projection(reader, from)
  return {
    tag = tag, columns = columns, uncached = true,
    rows = function(values) return changed(values, true) end,
    row = function(row)
      local picked = {}
      for n, place in ipairs(places) do picked[n] = row[place] end
      return picked
    end,
  }
end

-- Rows that pass conditions, with the values that are given; only their numbers where nobody looks at them.
local function changedRows(from, filters, given)
  return function(values, looked)
    local found = matching(from, filters, values)
    if not looked then return found end
    local rows = {}
    for at, n in ipairs(found) do
      rows[at] = { unpack(from.row(n), 1, #from.columns) }
      for column, value in pairs(given) do rows[at][column] = valueOf(value, values) end
    end
    return rows
  end
end

-- Rows of values that are joined: `(values ($1, $2), …) as v (a, b)` or `unnest($1, $2) as v (a, b)`, by column.
local function sourcesAt(reader)
  local sources, lists = {}, {}
  if reader.takeAll("( values") then
    lists = reader.list(function()
      reader.need("(")
      local row = reader.list(function() return reader.value() end)
      reader.need(")")
      return row
    end)
    reader.need(")")
  else
    reader.takeAll("unnest")
    reader.need("(")
    lists = { reader.list(function() return reader.value(types.byName["int4[]"]) end), unnested = true }
    reader.need(")")
  end
  local _ = reader.take("as")
  reader.name()
  reader.need("(")
  local names = reader.list(reader.name)
  reader.need(")")
  for place, name in ipairs(names) do
    sources[name] = { any = lists.unnested and lists[1][place] or nil, values = {} }
    for n, row in ipairs(lists) do sources[name].values[n] = row[place] end
  end
  return sources
end

local function updateOf(reader, tables)
  local from = tableAt(reader, tables)
  reader.need("set")
  local given = assignments(reader, from)
  local sources = reader.take("from") and sourcesAt(reader) or nil
  return changing(reader, from, "UPDATE", changedRows(from, filtersAt(reader, from, sources), given))
end

local function deleteOf(reader, tables)
  reader.need("from")
  local from = tableAt(reader, tables)
  return changing(reader, from, "DELETE", changedRows(from, filtersAt(reader, from), {}))
end

local function insertOf(reader, tables)
  reader.need("into")
  local from = tableAt(reader, tables)
  local places = {}
  if reader.take("(") then
    places = reader.list(function() return from.columns[reader.name()] or reader.stop() end)
    reader.need(")")
  else
    for n = 1, #from.columns do places[n] = n end
  end
  reader.need("values")
  local tuples = reader.list(function()
    local tuple, n = {}, 0
    reader.need("(")
    reader.list(function()
      n = n + 1
      local place = places[n] or reader.stop()
      tuple[place] = reader.value(from.columns[place].type)
      return true
    end)
    reader.need(")")
    return tuple
  end)
  if reader.takeAll("on conflict") then
    if reader.take("(") then
      reader.list(reader.name)
      reader.need(")")
    end
    reader.need("do")
    if reader.take("update") then
      reader.need("set")
      assignments(reader, from)
    else
      reader.need("nothing")
    end
  end
  return changing(reader, from, "INSERT 0", function(values, looked)
    if not looked then return tuples end
    local rows = {}
    for n, tuple in ipairs(tuples) do
      rows[n] = {}
      for place, value in pairs(tuple) do rows[n][place] = valueOf(value, values) end
    end
    return rows
  end)
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
  local tokens = tokensOf(sql)
  if #tokens == 0 then return { tag = "", empty = true } end
  local first = tokens[1].text
  local command = commandOf(tokens)
  if command then return command end
  if first == "select" then
    local from = placeOfFrom(tokens)
    if from then return selectFrom(tokens, from, tables) end
  end
  local reader = readerOf(tokens)
  reader.next()
  local kinds = { select = literals, update = updateOf, delete = deleteOf, insert = insertOf, show = showOf }
  local statement = (kinds[first] or reader.stop)(reader, tables)
  if not reader.past() then reader.stop() end
  statement.params = reader.params
  return statement
end

local statements = {}

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

-- Makes the function that reads SQL: a statement, or nil where there is no answer, with the error where it has a code.
function statements.reader(tables)
  local known, held = {}, 0
  return function(sql)
    local statement = known[sql]
    if statement ~= nil then return statement end
    local fine, result = pcall(read, sql:gsub(";%s*$", ""), tables)
    if not fine and type(result) ~= "table" then error(result, 0) end
    if not fine then return nil, result.code and result end
    result.params = result.params or {}
    -- Texts with values in them may be endless.
    held = held + 1
    if held > 10000 then known, held = {}, 1 end
    known[sql] = result
    return result
  end
end

return statements
