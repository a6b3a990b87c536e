-- Rows of the null PostgreSQL: files in the text format of COPY with a first line of `name type` for each column. The real
-- one is loaded from the same file, so both have the same rows.
local types = require("pg-types")

local tables = {}

local ESCAPES = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", v = "\v" }
local function unescaped(text)
  if text == "\\N" then return nil end
  return (text:gsub("\\(.)", function(char) return ESCAPES[char] or char end))
end

local function split(line)
  local fields = {}
  for field in (line .. "\t"):gmatch("([^\t]*)\t") do table.insert(fields, field) end
  return fields
end

local NONE = {}

-- Reads a table. `row(n)` is its nth row, a list of texts; `find(column, value)` lists numbers of rows that have it, not to be
-- changed.
function tables.read(name, file)
  local lines, columns, indexes, rows = {}, {}, {}, {}
  local opened, why = io.open(file, "rb")
  if not opened then error(why, 0) end
  for line in opened:lines() do table.insert(lines, line) end
  opened:close()
  for n, field in ipairs(split(table.remove(lines, 1) or "")) do
    local column, type = field:match("^(%S+) (%S+)$")
    if not types.byName[type] then error(file .. ': its first line has no type for "' .. field .. '"', 0) end
    columns[n] = { name = column, type = types.byName[type] }
    columns[column] = n
  end
  local read = { name = name, columns = columns, count = #lines }
  function read.row(n)
    local row = rows[n]
    if row == nil then
      row = split(lines[n])
      for place = 1, #columns do row[place] = unescaped(row[place]) end
      rows[n] = row
    end
    return row
  end
  function read.find(column, value)
    if indexes[column] == nil then
      local index = {}
      for n = 1, #lines do
        local key = read.row(n)[column]
        if key ~= nil then
          index[key] = index[key] or {}
          table.insert(index[key], n)
        end
      end
      indexes[column] = index
    end
    return indexes[column][value] or NONE
  end
  return read
end

return tables
