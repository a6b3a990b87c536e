-- Sends drawn requests and prints what wrk measured as one JSON line.
--
-- wrk ... -s wrk.lua URL -- FILE    with PROGRAM, which wrk-program.ts writes
-- wrk ... -s wrk.lua URL            sends the URL unchanged and counts nothing
--
-- LEVELFIELD_TARGETS in the environment, ports separated by spaces, gives each thread another server on the URL's
-- host. These threads draw alike, so that servers measured together get the same requests.
--
-- LEVELFIELD_WATCH=1 makes each thread print, some twenty times a second, with targets fifty times, when it was and how
-- many requests it has sent: `sent THREAD MICROSECONDS REQUESTS`. A warm-up reads them, and the window of
-- several servers is cut out of their load by them; no window of one server is watched.
--
-- How it keeps up with wrk. wrk calls request() through C, where LuaJIT only interprets, so request() does no more than
-- hand out one of 64 requests built before. Those are built in a loop, which LuaJIT compiles. PROGRAM is Lua made for these
-- requests: it knows where each drawn part goes, so a request is a few writes into a buffer that holds its fixed text
-- already, and the compiler makes one piece of machine code of it and the parts it calls (request-kit.lua). The requests of
-- a batch are written over by those of the next, so that nothing is allocated. No file is read once requests are sent.
--
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local kit = require("request-kit")
local floor, max, min = math.floor, math.max, math.min
local copy, chars = ffi.copy, ffi.typeof("char *")

local BATCH = 64

ffi.cdef("typedef struct { long sec; " .. (ffi.os == "OSX" and "int" or "long") .. " usec; } timeval_t;")
ffi.cdef("int gettimeofday(timeval_t *tv, void *tz);")
ffi.cdef("int getsockopt(int fd, int level, int name, void *value, unsigned int *length);")
ffi.cdef("int usleep(unsigned int microseconds);")
ffi.cdef("int getpeername(int fd, void *address, unsigned int *length);")
ffi.cdef("typedef struct { uint64_t count, limit, min, max, data[1]; } levelfield_stats;")
local tv = ffi.new("timeval_t")
local function now_us()
  ffi.C.gettimeofday(tv, nil)
  return tonumber(tv.sec) * 1000000 + tonumber(tv.usec)
end

local targets = {}
for port in (os.getenv("LEVELFIELD_TARGETS") or ""):gmatch("%d+") do targets[#targets + 1] = port end

-- Requests are counted by slots of time since a thread's first: whether a server was still warming up shows in them.
-- With several servers they are short, since the driver needs the number sent by a moment it chooses. Reports are more
-- frequent, too: if servers take turns, the first report of a thread after its server continues must not wait.
local SLOT_US = #targets > 0 and 20000 or 100000
local WATCH_US = #targets > 0 and 20000 or 50000
-- The most requests between two readings of the clock. The first request after a server was stopped reports those sent
-- before: requests sent until the next reading would count as if they had been sent before.
local MOST_UNSEEN = #targets > 0 and 1 or 16

local threads = {}

-- Runs once a thread, in wrk's main state.
function setup(thread)
  thread:set("place", #threads)
  threads[#threads + 1] = thread
  if #targets > 0 then thread.addr = wrk.lookup(wrk.host, targets[#threads])[1] end
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
  kit.seed(seed, lane)
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

  -- Reports now and then how many requests were sent. With one server the clock is read at each request of a slow one, at
  -- each 16th of a fast one.
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

-- Returns the errors of each thread as JSON, or `null`. Scripts see their sum alone, so they are read from wrk's memory: `thread`
-- of wrk.h, the same in wrk 4.0 to 4.2. Another layout has another sum, and gives `null`.
local function errors_by_thread(summary)
  local texts, complete, sums = {}, 0, { 0, 0, 0, 0, 0 }
  for number, thread in ipairs(threads) do
    local words = ffi.cast("uint64_t **", thread)[0]
    local errors = ffi.cast("uint32_t *", words + 9)
    complete = complete + tonumber(words[4])
    for n = 1, 5 do sums[n] = sums[n] + errors[n - 1] end
    texts[number] = string.format("[%d,%d,%d]", errors[0] + errors[1] + errors[2], errors[4], errors[3])
  end
  local errors = summary.errors
  local wanted = { errors.connect, errors.read, errors.write, errors.status, errors.timeout }
  for n = 1, 5 do if sums[n] ~= wanted[n] then return "null" end end
  return complete == summary.requests and "[" .. table.concat(texts, ",") .. "]" or "null"
end

-- Runs once, in wrk's main state. wrk has by now rewritten the histogram; the driver undoes that.
-- Latencies in microseconds with their counts. wrk's own way to ask for the n-th walks from the least each time: with replies
-- of up to a second that takes half a minute. So its table is read, which is `stats` in wrk 4's stats.h, and held against what
-- wrk says of it. Where it is another one, wrk's way is left.
local function listed(latency)
  local found, all, stats = {}, 0, ffi.cast("levelfield_stats **", latency)[0]
  local most = tonumber(stats.max)
  if stats.max < stats.limit and stats.limit < 1e8 then
    for value = tonumber(stats.min), most do
      local count = tonumber(stats.data[value])
      if count > 0 then
        found[#found + 1] = string.format("[%d,%d]", value, count)
        all = all + count
      end
    end
  end
  if #found ~= #latency or all ~= tonumber(stats.count) then
    found = {}
    for n = 1, #latency do found[n] = string.format("[%d,%d]", latency(n)) end
  end
  return table.concat(found, ",")
end

-- Returns port, bytes received and milliseconds since any came, of each open connection. Linux counts bytes by socket in any
-- case (tcp_info of linux/tcp.h), and wrk leaves its sockets open: so this costs no request anything.
local function look_at_sockets()
  local TCP, TCP_INFO, LAST_MS, BYTES, MOST_MISSES = 6, 11, 13, 16, 1000
  local info, address, length = ffi.new("uint64_t[64]"), ffi.new("uint8_t[128]"), ffi.new("unsigned int[1]")
  local found, misses, fd, least_ms, most_ms = {}, 0, 3, math.huge, 0
  while misses < MOST_MISSES do
    length[0] = 512
    local is_tcp = ffi.C.getsockopt(fd, TCP, TCP_INFO, info, length) == 0 and length[0] >= 8 * (BYTES + 1)
    length[0] = 128
    -- One that is not connected yet has no peer.
    if is_tcp and ffi.C.getpeername(fd, address, length) == 0 then
      local idle_ms = ffi.cast("uint32_t *", info)[LAST_MS]
      found[#found + 1] = { 256 * address[2] + address[3], tonumber(info[BYTES]), idle_ms }
      least_ms, most_ms = min(least_ms, idle_ms), max(most_ms, idle_ms)
    end
    fd, misses = fd + 1, is_tcp and 0 or misses + 1
  end
  return found, most_ms - least_ms
end

-- The same as JSON, with the milliseconds again a moment later; `null` if the system does not tell. A server that had just
-- stood still answers one connection after another, and those at the end of its queue are not stuck.
local function received()
  local MOST_APART_MS, MOMENT_US = 200, 100000
  if ffi.os ~= "Linux" then return "null" end
  local found, apart_ms = look_at_sockets()
  local later = found
  if apart_ms > MOST_APART_MS then
    ffi.C.usleep(MOMENT_US)
    later = look_at_sockets()
  end
  local texts = {}
  for n, each in ipairs(found) do
    texts[n] = string.format("[%d,%.0f,%d,%d]", each[1], each[2], each[3], (later[n] or each)[3])
  end
  return "[" .. table.concat(texts, ",") .. "]"
end

function done(summary, latency)
  -- Before anything that takes time.
  local sockets = received()
  local lines = {}
  for number, thread in ipairs(threads) do
    local counts, kinds = thread:get("counts"), thread:get("kinds")
    for n = 1, thread:get("position")[1] do counts[kinds[n]] = counts[kinds[n]] + 1 end
    lines[number] = string.format('{"startedUs":%d,"slots":[%s],"kinds":[%s]}',
      thread:get("first_us"), table.concat(thread:get("slots"), ","), table.concat(counts, ","))
  end
  local errors = summary.errors
  io.write(string.format(
    'levelfield {"durationUs":%d,"requests":%d,"bytes":%d,"longestUs":%d,"slotUs":%d,"threads":[%s],"failed":%s,"received":%s,'
      .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},"latency":[',
    summary.duration, summary.requests, summary.bytes, latency.max, SLOT_US, table.concat(lines, ","),
    #threads > 1 and errors_by_thread(summary) or "null", sockets,
    errors.connect, errors.read, errors.write, errors.status, errors.timeout
  ))
  io.write(os.getenv("LEVELFIELD_LATENCY") == "0" and "" or listed(latency), "]}\n")
end
