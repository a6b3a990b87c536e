-- Sends drawn requests and prints what wrk measured as one JSON line.
--
-- wrk ... -s wrk.lua URL -- FILE    with PROGRAM, which wrk-program.ts writes
-- wrk ... -s wrk.lua URL            sends the URL unchanged and counts nothing
--
-- LEVELFIELD_TARGETS in the environment, ports separated by spaces, gives each thread a server of its own on the URL's
-- host. These threads draw alike, so that servers measured together are asked the same.
--
-- LEVELFIELD_WATCH=1 makes each thread print, some twenty times a second, with targets fifty times, when it was and how
-- many requests it has sent: `sent THREAD MICROSECONDS REQUESTS`. Who waits for servers to be warm reads them, and who
-- cuts the window of several servers out of their load; no window of one server is watched.
--
-- How it keeps up with wrk. wrk calls request() through C, where LuaJIT only interprets, so request() does no more than
-- hand out one of 64 requests built before. Those are built in a loop, which LuaJIT compiles. PROGRAM is Lua made for these
-- requests: it knows where each drawn part goes, so a request is a few writes into a buffer that holds its fixed text
-- already, and the compiler makes one piece of machine code of it and the parts it calls (the kit below). The requests of
-- a batch are written over by those of the next, so that nothing is allocated. No file is read once requests are sent.
--
-- The file is longer than others because wrk takes one script.
local ffi = require("ffi")
local bit = require("bit")
local bxor, lshift, rshift, band, tobit = bit.bxor, bit.lshift, bit.rshift, bit.band, bit.tobit
local floor, exp, log, log10, max, min = math.floor, math.exp, math.log, math.log10, math.max, math.min
local copy = ffi.copy

local BATCH = 64
local WORDS = 4294967296

ffi.cdef("typedef struct { long sec; " .. (ffi.os == "OSX" and "int" or "long") .. " usec; } timeval_t;")
ffi.cdef("int gettimeofday(timeval_t *tv, void *tz);")
local tv = ffi.new("timeval_t")
local function now_us()
  ffi.C.gettimeofday(tv, nil)
  return tonumber(tv.sec) * 1000000 + tonumber(tv.usec)
end

local function fail(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

local targets = {}
for port in (os.getenv("LEVELFIELD_TARGETS") or ""):gmatch("%d+") do targets[#targets + 1] = port end

-- Requests are counted by slots of time since a thread's first: whether a server was still warming up shows in them.
-- With several servers they are short, since the driver asks how many had been sent by a moment of its own. It is told more
-- often, too: where servers take turns, what a thread tells first when its server goes on must not wait.
local SLOT_US = #targets > 0 and 20000 or 100000
local WATCH_US = #targets > 0 and 20000 or 50000
-- Most requests between two looks at the clock. What was sent before a server stood still is told by the first request
-- after it: requests sent until the next look would count as if they had been sent before.
local MOST_UNSEEN = #targets > 0 and 1 or 16

local threads = {}

-- Runs once a thread, in wrk's main state.
function setup(thread)
  thread:set("place", #threads)
  threads[#threads + 1] = thread
  if #targets > 0 then thread.addr = wrk.lookup(wrk.host, targets[#threads])[1] end
end

-- xorshift64* (Vigna 2016) and its seeding by splitmix64 (Steele et al. 2014), which keeps neighbouring seeds apart.
local random_state = ffi.new("uint64_t[1]")

local function seed_random(seed, stream)
  local z = ffi.cast("uint64_t", seed) * 0xd1342543de82ef95ULL
  z = z + (ffi.cast("uint64_t", stream) + 1) * 0x9e3779b97f4a7c15ULL
  z = bxor(z, rshift(z, 30)) * 0xbf58476d1ce4e5b9ULL
  z = bxor(z, rshift(z, 27)) * 0x94d049bb133111ebULL
  z = bxor(z, rshift(z, 31))
  random_state[0] = z == 0 and 1 or z
end

-- From 0 to below 1, in steps of 2^-53.
local function random()
  local s = random_state[0]
  s = bxor(s, rshift(s, 12))
  s = bxor(s, lshift(s, 25))
  s = bxor(s, rshift(s, 27))
  random_state[0] = s
  return tonumber(ffi.cast("int64_t", rshift(s * 0x2545f4914f6cdd1dULL, 11))) * 2 ^ -53
end

-- What PROGRAM is made of. Those from `uniform` to `missing` make a draw: a function that gives the next number or line,
-- and true where that is a miss.
local kit = { random = random, copy = copy }

-- The first 64 of van der Corput's sequence, times 64: the six bits of a count from the other end.
local STRATA = 64
local van_der_corput = ffi.new("uint8_t[?]", STRATA)
for n = 0, STRATA - 1 do
  for digit = 0, 5 do
    if band(n, lshift(1, digit)) ~= 0 then van_der_corput[n] = van_der_corput[n] + lshift(1, 5 - digit) end
  end
end

-- Each number as likely, and all parts of the range in turn: two draws in a row are from both halves, 64 from all 64ths,
-- in one of 64 orders drawn anew each time, and where in its 64th a draw is is left to chance. Where a request costs as
-- much as its number is great, as in a scan, a tenth of a second of them would differ from the next by chance alone
-- otherwise, and hide whether the server does.
function kit.uniform(below)
  local drawn = ffi.new("double[2]")
  return function()
    local place = drawn[0]
    if place == 0 then drawn[1] = floor(random() * STRATA) end
    drawn[0] = place == STRATA - 1 and 0 or place + 1
    local stratum = bxor(van_der_corput[place], drawn[1])
    return min(floor((stratum + random()) / STRATA * below), below - 1)
  end
end

-- Rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone discrete
-- distributions", 1996): rank k with a chance in proportion to k^-exponent, in constant time and without a table.
function kit.zipf(below, exponent)
  local q = 1 - exponent
  -- So near to 1 the general formulas lose their digits, and the first of 10^10 ranks changes by less than a millionth.
  local harmonic = math.abs(q) < 1e-8
  local function density(x) return x ^ -exponent end
  local function integral(x) return harmonic and log(x) or (x ^ q - 1) / q end
  local function inverse(y) return harmonic and exp(y) or (1 + q * y) ^ (1 / q) end
  local low, high = integral(1.5) - 1, integral(below + 0.5)
  local near = 2 - inverse(integral(2.5) - density(2))
  local function draw()
    local y = high + random() * (low - high)
    local x = inverse(y)
    local rank = floor(x + 0.5)
    if rank < 1 then rank = 1 elseif rank > below then rank = below end
    if rank - x <= near or y >= integral(rank + 0.5) - density(rank) then return rank - 1 end
    -- Rarely. A loop here would keep the one that fills a batch from being compiled.
    return draw()
  end
  return draw
end

function kit.hot(below, keys, share)
  return function() return floor(random() * (random() < share and keys or below)) end
end

-- `from`, `from` + 1, ...: this thread's own as long as it takes no more than `lane` of them.
function kit.serial(from, lane)
  local after = from + lane
  local next_one = ffi.new("double[1]", from)
  return function()
    local number = next_one[0]
    if number == after then fail("a thread has drawn all of its " .. lane .. " serial numbers") end
    next_one[0] = number + 1
    return number
  end
end

-- Also returns the length of the longest line.
function kit.rows(path)
  local file, why = io.open(path, "rb")
  if not file then fail("cannot read the rows to draw from: " .. why) end
  local lines, longest = {}, 0
  for line in file:lines() do
    if line:byte(-1) == 13 then line = line:sub(1, -2) end
    lines[#lines + 1] = line
    longest = max(longest, #line)
  end
  file:close()
  local count = #lines
  if count == 0 then fail("there are no rows to draw from in " .. path) end
  local draw = kit.uniform(count)
  return function() return lines[draw() + 1] end, longest
end

-- Another draw, with a share of numbers it never gives.
function kit.missing(draw, below, share)
  return function()
    if random() < share then return below + floor(random() * (WORDS - below)), true end
    return draw()
  end
end

local decimal_pairs = ffi.new("uint16_t[100]")
for number = 0, 99 do
  local pair = string.format("%02d", number)
  decimal_pairs[number] = pair:byte(1) + 256 * pair:byte(2)
end

-- Writes eight digits.
local function write_eight(to, at, number)
  local a = floor(number / 1e6)
  local b = floor(number / 1e4)
  local c = floor(number / 1e2)
  to[at] = decimal_pairs[a]
  to[at + 1] = decimal_pairs[b - a * 100]
  to[at + 2] = decimal_pairs[c - b * 100]
  to[at + 3] = decimal_pairs[number - c * 100]
end

local chars = ffi.typeof("char *")

-- Writes the digits of a whole number below 10^13 to the end of 16 bytes; returns where they begin and how many they are.
function kit.decimal(to, number)
  local high = floor(number / 1e8)
  write_eight(to, 4, number - high * 1e8)
  if high > 0 then write_eight(to, 0, high) end
  local length = max(floor(log10(number + 0.5)), 0) + 1
  return ffi.cast(chars, to) + (16 - length), length
end

function kit.digits() return ffi.new("uint16_t[8]") end

local function mix(x, addend)
  x = bxor(x, lshift(x, 13))
  x = bxor(x, rshift(x, 17))
  x = bxor(x, lshift(x, 5))
  return tobit(x + addend)
end

local digits = ffi.new("uint16_t[8]")
local hex = ffi.new("uint16_t[256]")
for byte = 0, 255 do
  local pair = string.format("%02x", byte)
  hex[byte] = pair:byte(1) + 256 * pair:byte(2)
end

-- Writes the 16 hexadecimal digits of a number below 2^32, mixed with four keys.
function kit.hex16(to, number, a, b, c, d)
  local high = mix(mix(number, a), b)
  local low = mix(mix(high, c), d)
  digits[0] = hex[rshift(high, 24)]
  digits[1] = hex[band(rshift(high, 16), 255)]
  digits[2] = hex[band(rshift(high, 8), 255)]
  digits[3] = hex[band(high, 255)]
  digits[4] = hex[rshift(low, 24)]
  digits[5] = hex[band(rshift(low, 16), 255)]
  digits[6] = hex[band(rshift(low, 8), 255)]
  digits[7] = hex[band(low, 255)]
  copy(to, digits, 16)
end

-- A buffer that begins with a text.
function kit.buffer(beginning, size)
  return ffi.new("char[?]", size + 1, beginning)
end

-- Strings of Lua handed to wrk, by length and place in a batch. wrk copies a request as soon as it has it and nothing
-- else reads these, so they are written over for the next batch, although Lua's strings are not meant to change: a new
-- string for each request had to be hashed, looked up and collected, which took four fifths of the time to build it.
local strings, string_count, string_bytes = {}, 0, 0
local MOST_STRING_BYTES = 2 ^ 24

local function make_string(length, place)
  if string_bytes > MOST_STRING_BYTES then return nil end
  string_count = string_count + 1
  string_bytes = string_bytes + length
  strings[length] = strings[length] or {}
  -- Unlike any other, since Lua keeps equal strings once.
  strings[length][place] = string.format("%-8d", string_count) .. (" "):rep(length - 8)
  return strings[length][place]
end

-- The first bytes of a buffer as a request, good until the next one for the same place in a batch.
function kit.request(from, length, place)
  local of_length = strings[length]
  local text = of_length and of_length[place] or make_string(length, place)
  if not text then return ffi.string(from, length) end
  copy(ffi.cast(chars, text), from, length)
  return text
end

-- Runs once a thread, in the thread's own state. Without a global `request` wrk sends its URL unchanged.
function init(args)
  -- For done(), in tables so that counting is no global write: requests handed out of the batch, the kind of each in it,
  -- and requests handed out before by kind and by slot of time.
  position, kinds, counts, slots = { 0 }, {}, {}, {}
  first_us = 0
  if not args[1] then return end

  local seed, makers, maker_of = assert(loadfile(args[1]))(kit)
  local lane = #targets > 0 and 0 or place
  seed_random(seed, lane)
  local build, kind_count = makers[maker_of[place + 1] or 1](lane)
  for kind = 1, kind_count do counts[kind] = 0 end

  local requests, kinds, counts, slots, position = {}, kinds, counts, slots, position
  local function fill()
    for n = 1, BATCH do requests[n], kinds[n] = build(n) end
    position[1] = 0
  end

  -- Called when a batch has been sent, so a slot is right to a batch.
  local function note_batch()
    for n = 1, BATCH do counts[kinds[n]] = counts[kinds[n]] + 1 end
    local slot = floor((now_us() - first_us) / SLOT_US) + 1
    for n = #slots + 1, slot do slots[n] = 0 end
    slots[slot] = slots[slot] + BATCH
  end

  -- How many were sent, now and then. Of one server the clock is asked for at each request of a slow one, at each 16th of a
  -- fast one.
  local batches, next_look, last_look, last_us = 0, 1, 0, 0
  local function look()
    local sent, us = batches * BATCH + position[1], now_us()
    local passed = us - last_us
    next_look = sent + max(1, min(MOST_UNSEEN, floor((sent - last_look) * WATCH_US / max(passed, 1) / 4)))
    if passed < WATCH_US then return end
    last_look, last_us = sent, us
    io.write(string.format("sent %d %.0f %d\n", place, us, sent))
    io.flush()
  end

  local function send()
    local n = position[1]
    if n == BATCH then
      note_batch()
      fill()
      n, batches = 0, batches + 1
    end
    n = n + 1
    position[1] = n
    return requests[n]
  end

  local function send_watched()
    if batches * BATCH + position[1] >= next_look then look() end
    return send()
  end

  local function send_first()
    first_us = now_us()
    request = os.getenv("LEVELFIELD_WATCH") == "1" and send_watched or send
    return request()
  end

  fill()
  request = send_first
  -- wrk looks at one request of its first thread before the start and does not send it. It gets to see the one that comes
  -- first: so nothing drawn is lost, what was handed out is what was sent, and each thread's serial numbers begin with 0.
  if place == 0 then
    request = function()
      request = send_first
      return requests[1]
    end
  end
end

-- Runs once, in wrk's main state. wrk has by now rewritten the histogram; the driver undoes that.
function done(summary, latency)
  local lines = {}
  for number, thread in ipairs(threads) do
    local counts, kinds = thread:get("counts"), thread:get("kinds")
    for n = 1, thread:get("position")[1] do counts[kinds[n]] = counts[kinds[n]] + 1 end
    lines[number] = string.format('{"startedUs":%d,"slots":[%s],"kinds":[%s]}',
      thread:get("first_us"), table.concat(thread:get("slots"), ","), table.concat(counts, ","))
  end
  local errors = summary.errors
  io.write(string.format(
    'levelfield {"durationUs":%d,"requests":%d,"bytes":%d,"slotUs":%d,"threads":[%s],'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},"latency":[',
    summary.duration, summary.requests, summary.bytes, SLOT_US, table.concat(lines, ","),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout
  ))
  -- wrk finds each value by walking from the least again: for slow replies, of many servers together or of one that stood
  -- still meanwhile, that takes minutes.
  for n = 1, os.getenv("LEVELFIELD_LATENCY") == "0" and 0 or #latency do
    local value, count = latency(n)
    io.write(n == 1 and "" or ",", "[", string.format("%d,%d", value, count), "]")
  end
  io.write("]}\n")
end
