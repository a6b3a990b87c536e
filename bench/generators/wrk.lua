-- Draws user ids over a whole data set and prints what wrk measured as one JSON line.
--
-- wrk ... -s wrk.lua URL -- ids SIZE DRAW_SEED MISS_SHARE KEY1 KEY2 KEY3 KEY4
-- wrk ... -s wrk.lua URL -- fixed
--
-- LEVELFIELD_TARGETS in the environment, ports separated by spaces, gives each thread a server of its own on the URL's
-- host: a duet.
--
-- An id is computed from its index (stores/dataset/user-at.ts does the same), so no file is read and start-up does not
-- grow with the data set. Requests are built 64 at a time: wrk calls request() through C, where LuaJIT only
-- interprets, but it compiles the loop that fills a batch.
local ffi = require("ffi")
local bit = require("bit")
local bxor, lshift, rshift, band, tobit = bit.bxor, bit.lshift, bit.rshift, bit.band, bit.tobit
local floor = math.floor

local BATCH = 64
local WORDS = 4294967296

local threads = {}

ffi.cdef(ffi.os == "OSX" and "typedef struct { long sec; int usec; } timeval_t;" or "typedef struct { long sec; long usec; } timeval_t;")
ffi.cdef("int gettimeofday(timeval_t *tv, void *tz);")
local tv = ffi.new("timeval_t")
local function now_us()
  ffi.C.gettimeofday(tv, nil)
  return tonumber(tv.sec) * 1000000 + tonumber(tv.usec)
end

local targets = {}
for port in (os.getenv("LEVELFIELD_TARGETS") or ""):gmatch("%d+") do targets[#targets + 1] = port end

-- Requests are counted by slots of time since a thread's first: whether a server was still warming up shows in them.
-- A duet's are short, since its driver asks how many had been sent by a moment of its own.
local SLOT_US = #targets > 0 and 20000 or 100000

-- Runs once a thread, in wrk's main state.
function setup(thread)
  -- Servers of a duet are asked for the same ids.
  thread:set("stream", #targets > 0 and 0 or #threads)
  threads[#threads + 1] = thread
  if #targets > 0 then thread.addr = wrk.lookup(wrk.host, targets[#threads])[1] end
end

local function mix(x, addend)
  x = bxor(x, lshift(x, 13))
  x = bxor(x, rshift(x, 17))
  x = bxor(x, lshift(x, 5))
  return tobit(x + addend)
end

local function draw_requests(args)
  local size = tonumber(args[2])
  local miss_below = tonumber(args[4]) * WORDS
  local a, b, c, d = tonumber(args[5]), tonumber(args[6]), tonumber(args[7]), tonumber(args[8])
  -- Two rounds keep neighbouring seeds and threads apart; xorshift32 must not start at 0.
  local state = mix(mix(tobit(tonumber(args[3]) + stream * 40503), 0x3c6ef372), 0x1b873593)
  if state == 0 then state = 1 end

  local head = "GET /users/"
  local tail = " HTTP/1.1\r\nHost: " .. wrk.headers["Host"] .. "\r\n\r\n"
  local length = #head + 16 + #tail
  local request_bytes = ffi.new("char[?]", length + 1, head .. string.rep("0", 16) .. tail)
  local digits = ffi.new("uint16_t[8]")
  local hex = ffi.new("uint16_t[256]")
  for byte = 0, 255 do
    local text = string.format("%02x", byte)
    hex[byte] = text:byte(1) + 256 * text:byte(2)
  end
  local id_start = request_bytes + #head
  local requests, missing = {}, {}

  local function next_word()
    local s = state
    s = bxor(s, lshift(s, 13))
    s = bxor(s, rshift(s, 17))
    s = bxor(s, lshift(s, 5))
    state = s
    return s % WORDS
  end

  local function fill()
    for n = 1, BATCH do
      local index
      if miss_below > 0 and next_word() < miss_below then
        index = floor(size + next_word() / WORDS * (WORDS - size))
        missing[n] = 1
      else
        index = floor(next_word() / WORDS * size)
        missing[n] = 0
      end
      local high = mix(mix(index, a), b)
      local low = mix(mix(high, c), d)
      digits[0] = hex[rshift(high, 24)]
      digits[1] = hex[band(rshift(high, 16), 255)]
      digits[2] = hex[band(rshift(high, 8), 255)]
      digits[3] = hex[band(high, 255)]
      digits[4] = hex[rshift(low, 24)]
      digits[5] = hex[band(rshift(low, 16), 255)]
      digits[6] = hex[band(rshift(low, 8), 255)]
      digits[7] = hex[band(low, 255)]
      ffi.copy(id_start, digits, 16)
      requests[n] = ffi.string(request_bytes, length)
    end
  end

  local sent_in = slots
  -- Called when a batch has been sent, so a slot is right to a batch.
  local function note_batch()
    local at = now_us()
    if first_us == nil then
      first_us = at
    else
      local slot = floor((at - first_us) / SLOT_US) + 1
      for n = #sent_in + 1, slot do sent_in[n] = 0 end
      sent_in[slot] = sent_in[slot] + BATCH
    end
  end

  local position = BATCH
  local count = counts
  if miss_below > 0 then
    return function()
      if position == BATCH then
        note_batch()
        fill()
        position = 0
      end
      position = position + 1
      count[1] = count[1] + 1
      count[2] = count[2] + missing[position]
      return requests[position]
    end
  end
  return function()
    if position == BATCH then
      note_batch()
      fill()
      position = 0
    end
    position = position + 1
    count[1] = count[1] + 1
    return requests[position]
  end
end

-- Runs once a thread, in the thread's own state. Without a global `request` wrk sends its URL unchanged.
function init(args)
  -- Requests drawn and those of them for ids that do not exist; a table, so that counting is no global write.
  counts = { 0, 0 }
  slots = {}
  first_us = nil
  if args[1] == "ids" then request = draw_requests(args) end
end

-- Runs once, in wrk's main state. wrk has by now rewritten the histogram; the driver undoes that.
function done(summary, latency)
  local drawn, sent_misses, sent_in, started_us = {}, 0, {}, {}
  for number, thread in ipairs(threads) do
    local counts = thread:get("counts")
    -- wrk draws one request of the first thread before the start, to look at it.
    drawn[number] = counts[1] - (number == 1 and counts[1] > 0 and 1 or 0)
    sent_misses = sent_misses + counts[2]
    started_us[number] = string.format("%d", thread:get("first_us") or 0)
    sent_in[number] = "[" .. table.concat(thread:get("slots"), ",") .. "]"
  end
  local errors = summary.errors
  io.write(string.format(
    'levelfield {"durationUs":%d,"requests":%d,"bytes":%d,"sentMisses":%d,"drawn":[%s],'
      .. '"slotUs":%d,"startedUs":[%s],"slots":[%s],'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},"latency":[',
    summary.duration, summary.requests, summary.bytes, sent_misses, table.concat(drawn, ","),
    SLOT_US, table.concat(started_us, ","), table.concat(sent_in, ","),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout
  ))
  for n = 1, #latency do
    local value, count = latency(n)
    io.write(n == 1 and "" or ",", "[", string.format("%d,%d", value, count), "]")
  end
  io.write("]}\n")
end
