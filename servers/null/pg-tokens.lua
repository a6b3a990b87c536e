-- SQL as tokens, and a reader of them that knows the forms of names, types and values.
local types = require("pg-types")
local fail = require("pg-fields").fail

local RESERVED = {}
for word in ("select from where order by limit offset for set values returning on as and in any case when then else end " ..
  "update insert into delete group having union join left inner"):gmatch("%S+") do
  RESERVED[word] = true
end

-- A text in quotes from a place on, and the place after it. Two quotes in a row are one of the text.
local function quotedAt(sql, from)
  local at = from
  repeat
    at = sql:find("'", at + 1, true) or fail("42601", "unterminated quoted string")
    local isDoubled = sql:sub(at + 1, at + 1) == "'"
    if isDoubled then at = at + 1 end
  until not isDoubled
  return sql:sub(from + 1, at - 1):gsub("''", "'"), at + 1
end

-- Splits SQL into tokens, without comments: { kind, text }, kinds being word, name (quoted), number, text, param, sign.
local function tokensOf(sql)
  local tokens, at = {}, 1
  local function take(kind, pattern, clean)
    local text, past = sql:match("^" .. pattern .. "()", at)
    if not text then return false end
    if kind then table.insert(tokens, { kind = kind, text = clean and clean(text) or text }) end
    at = past
    return true
  end
  while at <= #sql do
    if sql:sub(at, at) == "'" then
      local text, past = quotedAt(sql, at)
      table.insert(tokens, { kind = "text", text = text })
      at = past
    else
      local _ = take(nil, "(%s+)") or take(nil, "(%-%-[^\n]*)") or take(nil, "(/%*.-%*/)")
        or (sql:sub(at, at + 1) == "/*" and fail("42601", "unterminated /* comment"))
        or take("word", "([%a_][%w_]*)", string.lower) or take("param", "%$(%d+)") or take("number", "(%-?%d+%.?%d*)")
        or take("name", '"([^"]*)"') or take("sign", "(::)") or take("sign", "(<>)") or take("sign", "(.)")
    end
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
      if value.param then reader.params[value.param] = value.type end
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
      -- No message can give more.
      if value.param < 1 or value.param > 65535 then fail("42P02", "there is no parameter $" .. token.text:sub(1, 20)) end
      if reader.params[value.param] == nil then reader.params[value.param] = type or types.byName.text end
    elseif token.kind == "number" or token.kind == "text" then
      if type and token.kind == "text" and types.isWhole(type) and tonumber(token.text) == nil then
        fail("22P02", ('invalid input syntax for type integer: "%s"'):format(token.text))
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

-- The text of a value that is known, or of its parameter.
local function valueOf(value, values)
  if value.param then return values[value.param] end
  return value.text
end

return { of = tokensOf, reader = readerOf, valueOf = valueOf }
