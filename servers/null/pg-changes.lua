-- INSERT, UPDATE and DELETE: rows stay as they are, and the answer is what it would be.
local types = require("pg-types")
local valueOf = require("pg-tokens").valueOf
local selects = require("pg-select")
local tableAt, filtersAt, matching, projection = selects.tableAt, selects.filtersAt, selects.matching, selects.projection

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

return { update = updateOf, delete = deleteOf, insert = insertOf }
