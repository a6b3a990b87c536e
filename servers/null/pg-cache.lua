-- What was made once for a statement and the formats of its columns: rows, descriptions and whole answers, by a key.
-- Clients choose statements, formats and keys, so all is forgotten when it takes more than the most.
local MOST = 64 * 1024 * 1024
-- About the bytes that a table and a place in it take.
local TABLE, PLACE = 200, 80

local cache = {}
local kinds, held = {}, 0

local function forget()
  -- A statement that nobody has any more goes with what was made for it.
  local weak = { __mode = "k" }
  held = 0
  for _, kind in ipairs({ "rows", "answers", "descriptions" }) do kinds[kind] = setmetatable({}, weak) end
end
forget()

-- Texts of a kind, by key.
function cache.of(kind, statement, formats)
  local all = kinds[kind][statement]
  if all == nil then
    all, held = {}, held + TABLE
    kinds[kind][statement] = all
  end
  local texts = all[formats]
  if texts == nil then
    texts, held = {}, held + TABLE + #formats
    all[formats] = texts
  end
  return texts
end

-- Keeps a text that was made.
function cache.keep(texts, key, text)
  held = held + PLACE + #text + (type(key) == "string" and #key or 0)
  if held > MOST then forget() end
  texts[key] = text
end

return cache
