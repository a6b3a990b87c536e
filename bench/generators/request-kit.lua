-- Parts of a program of drawn requests, for the generators that wrk's LuaJIT runs: seeded draws, digits, and buffers for
-- requests. wrk-program.ts writes the programs; `kit.request` is the generator's.
local ffi = require("ffi")
local bit = require("bit")
local bxor, lshift, rshift, band, tobit = bit.bxor, bit.lshift, bit.rshift, bit.band, bit.tobit
local floor, exp, log, log10, max, min = math.floor, math.exp, math.log, math.log10, math.max, math.min
local copy = ffi.copy

local WORDS = 4294967296

local function fail(message)
  io.stderr:write(message, "\n")
  os.exit(1)
end

-- Returns a seed function and a random function of their own state: xorshift64* (Vigna 2016), seeded by splitmix64 (Steele
-- et al. 2014), which keeps neighbouring seeds apart. Numbers are from 0 to below 1, in steps of 2^-53.
local function random_stream()
  local state = ffi.new("uint64_t[1]")
  local function seed_random(seed, stream)
    local z = ffi.cast("uint64_t", seed) * 0xd1342543de82ef95ULL
    z = z + (ffi.cast("uint64_t", stream) + 1) * 0x9e3779b97f4a7c15ULL
    z = bxor(z, rshift(z, 30)) * 0xbf58476d1ce4e5b9ULL
    z = bxor(z, rshift(z, 27)) * 0x94d049bb133111ebULL
    z = bxor(z, rshift(z, 31))
    state[0] = z == 0 and 1 or z
  end
  local function random()
    local s = state[0]
    s = bxor(s, rshift(s, 12))
    s = bxor(s, lshift(s, 25))
    s = bxor(s, rshift(s, 27))
    state[0] = s
    return tonumber(ffi.cast("int64_t", rshift(s * 0x2545f4914f6cdd1dULL, 11))) * 2 ^ -53
  end
  return seed_random, random
end
local seed_random, random = random_stream()

-- Functions for PROGRAM. Those from `uniform` to `missing` make a draw: a function that returns the next number or line,
-- and true for a miss.
local kit = { seed = seed_random, random = random, copy = copy }

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

local read = {}
-- Also returns the length of the longest line. A file is read once.
function kit.rows(path)
  local lines, longest = read[path] or {}, 0
  if not read[path] then
    local file, why = io.open(path, "rb")
    if not file then fail("cannot read the rows to draw from: " .. why) end
    for line in file:lines() do lines[#lines + 1] = line:byte(-1) == 13 and line:sub(1, -2) or line end
    file:close()
    read[path] = lines
  end
  for _, line in ipairs(lines) do longest = max(longest, #line) end
  local count = #lines
  if count == 0 then fail("there are no rows to draw from in " .. path) end
  local draw = kit.uniform(count)
  return function() return lines[draw() + 1] end, longest
end

-- Returns functions that begin a schedule and give the next time at which a request is due, in microseconds from 0. `fixed`
-- has equal gaps. `poisson` is a Poisson process given its number of requests in its time (order statistics of uniform
-- times, drawn one after the other): gaps are exponential, and exactly the rate is due.
function kit.schedule(kind)
  local seed_gaps, random_gap = random_stream()
  -- The number so far, the number in all, the gap in the mean, and the time of the last.
  local of = ffi.new("double[4]")
  local function start(rate, count, seed)
    of[0], of[1], of[2], of[3] = 0, count, 1e6 / rate, 0
    seed_gaps(seed, 1)
  end
  local function fixed()
    of[0] = of[0] + 1
    return (of[0] - 1) * of[2]
  end
  local function poisson()
    local left = max(1, of[1] - of[0])
    of[0] = of[0] + 1
    of[3] = of[3] + (of[1] * of[2] - of[3]) * (1 - exp(log(1 - random_gap()) / left))
    return of[3]
  end
  return start, kind == "poisson" and poisson or fixed
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

return kit
