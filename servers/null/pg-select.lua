-- SELECT on one table, with equality alone in WHERE, and the parts that statements which change rows have, too.
local types = require("pg-types")
local tokens = require("pg-tokens")
local valueOf, fail = tokens.valueOf, require("pg-fields").fail

-- As many columns as PostgreSQL selects.
local MOST_COLUMNS = 1664
local function fit(columns)
  if #columns > MOST_COLUMNS then fail("54011", "target lists can have at most " .. MOST_COLUMNS .. " entries") end
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
  if filter.any then
    local list = valueOf(filter.any, values) or {}
    return type(list) == "table" and list or fail("42809", "op ANY/ALL (array) requires array on right side")
  end
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
  fit(columns)
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
local function placeOfFrom(words)
  local depth = 0
  for n, token in ipairs(words) do
    if token.kind == "sign" then depth = depth + (token.text == "(" and 1 or token.text == ")" and -1 or 0) end
    if depth == 0 and token.kind == "word" and token.text == "from" then return n end
  end
end

-- The number that LIMIT or OFFSET gives; nil where there is none.
local function numberOf(value, values, what)
  local text = value and valueOf(value, values)
  if text == nil then return nil end
  local number = type(text) == "string" and text:match("^-?%d+$") and tonumber(text)
  if not number then fail("42804", "argument of " .. what .. " must be a whole number") end
  if number < 0 then fail(what == "LIMIT" and "2201W" or "2201X", what .. " must not be negative") end
  return number
end

local function selectFrom(words, from, tables)
  local before, after, reader = {}, {}, nil
  for n, token in ipairs(words) do
    if n > 1 and n < from then table.insert(before, token) end
    if n > from then table.insert(after, token) end
  end
  reader = tokens.reader(after)
  local source = tableAt(reader, tables)
  local head = tokens.reader(before)
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
        -- NULL is larger than all else.
        return x ~= nil and (y == nil or x < y)
      end
    end
    return a < b
  end
  local statement = { tag = "SELECT", columns = columns, params = reader.params, row = projected(source, columns, places) }
  function statement.rows(values)
    local found = matching(source, filters, values)
    if columns.count then return { #found } end
    if #orders > 0 and #found > 1 then
      local sorted = {}
      for n, key in ipairs(found) do sorted[n] = key end
      table.sort(sorted, before_)
      found = sorted
    end
    if limit or offset then
      local first, cut = numberOf(offset, values, "OFFSET") or 0, {}
      local most = numberOf(limit, values, "LIMIT") or #found
      for n = first + 1, math.min(first + most, #found) do table.insert(cut, found[n]) end
      return cut
    end
    return found
  end
  return statement
end

return {
  from = selectFrom, placeOfFrom = placeOfFrom, fit = fit,
  tableAt = tableAt, filtersAt = filtersAt, matching = matching, projection = projection,
}
