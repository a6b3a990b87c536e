-- Sends requests at the times of a schedule, whatever the server does, and counts each from when it was due, from when it
-- left, and how late it left for this generator's own sake. Run by wrk's own LuaJIT, as null services are: it polls its core,
-- so that no timer of the kernel stands between a request and its time.
--
-- wrk -s ontime.lua -H "program: FILE" -H "rate: 1000" -H "connections: 50" -H "requests: 10000"
--     [-H "schedule: poisson"] [-H "timeout: 2000000"] http://127.0.0.1:PORT
-- wrk -s ontime.lua -H "program: FILE" -H "connections: 50" -H "duration: 1000000" ...      a closed loop, in microseconds
--
-- FILE is what wrk-program.ts writes. wrk never gets to load anything, since this file never ends. It is longer than others
-- because its loop and all that the loop calls share their state.
--
-- The schedule is one for all connections. A request that is due takes the connection that has been idle for longest; where
-- none is idle it waits for one, which is the server's doing and counts as its time. The generator's lateness is what passed
-- between the later of both, due and free, and the sending.
--
-- Before the first request is due, the loop runs against itself over pairs of sockets: so all of it is compiled by then. It
-- allocates nothing, so no collection of garbage stops it.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local kit = require("request-kit")
local histogram = require("histogram")
local loopback = require("loopback")
local replies = require("http-reply")
local floor, min, max = math.floor, math.min, math.max
local C, clock_us = ffi.C, loopback.clock_us
loopback.name = "ontime"
local POLLIN, POLLOUT, AGAIN, AT_ONCE = loopback.POLLIN, loopback.POLLOUT, loopback.AGAIN, loopback.AT_ONCE
local MONOTONIC, REALTIME = loopback.MONOTONIC, loopback.REALTIME

local function fail(text)
  io.stderr:write("ontime: ", text, "\n")
  os.exit(1)
end

local function option(name, otherwise) return wrk.headers[name] or otherwise end
local RATE, CONNECTIONS = tonumber(option("rate")), tonumber(option("connections"))
local REQUESTS, DURATION_US = tonumber(option("requests", math.huge)), tonumber(option("duration", math.huge))
local TIMEOUT_US = tonumber(option("timeout", 2000000))
local begin_schedule, next_time = kit.schedule(option("schedule", "fixed"))
if not CONNECTIONS then fail("connections are needed") end
if min(REQUESTS, RATE and math.huge or DURATION_US) == math.huge then fail("requests or a duration are needed") end

-- The request that goes next, built before it is due.
local next_bytes, next_length
function kit.request(from, length)
  next_bytes, next_length = from, length
  return true
end
local seed, makers, maker_of = assert(loadfile(option("program")))(kit)
local build, kind_count
local function begin_requests()
  kit.seed(seed, 0)
  build, kind_count = makers[maker_of[1] or 1](0)
end
-- LuaJIT compiles a function made three times for each of its kind, else for this one alone.
for _ = 1, 3 do begin_requests() end

-- All that is counted.
local count, MOST_SLOTS, SLOT_US = histogram.count, 36000, 100000
local from_due, from_sent, lateness = histogram.new(), histogram.new(), histogram.new()
local slots, last_slot, kinds = ffi.new("uint32_t[?]", MOST_SLOTS), 0, {}
-- `reopened` counts connections that the server ended between two requests: nobody lost anything.
local errors, bytes, answered, reopened
local function begin_counts()
  for _, held in ipairs({ from_due, from_sent, lateness }) do histogram.clear(held) end
  ffi.fill(slots, 4 * MOST_SLOTS)
  for kind = 1, kind_count do kinds[kind] = 0 end
  errors = { connect = 0, read = 0, write = 0, timeout = 0, status = 0 }
  bytes, answered, reopened, last_slot = 0, 0, 0, 0
end

-- A connection keeps the beginning of a reply that came in pieces, and what of its request is not sent yet.
local function fresh(conn, fd)
  conn.fd, conn.lives, conn.have, conn.left, conn.mode, conn.rest = fd, true, 0, 0, "head", false
end
local function to_server(conn)
  local fd, connected = loopback.connect()
  fresh(conn, fd)
  conn.lives = connected
  if not connected then
    C.close(fd)
    errors.connect = errors.connect + 1
  end
end
local open

-- Idle connections, the one that is idle for longest first, in a ring; those that wait for a reply stand in `polled`.
local conns, ring, first, idle = {}, {}, 0, 0
local polled, waiting, busy = ffi.new("pollfd_t[?]", CONNECTIONS), {}, 0
local function rest(conn, now)
  ring[(first + idle) % CONNECTIONS] = conn
  idle = idle + 1
  conn.free = now
end
local function await(conn)
  polled[busy].fd, polled[busy].events, polled[busy].revents = conn.fd, conn.rest and POLLOUT or POLLIN, 0
  waiting[busy] = conn
  busy = busy + 1
end
local function forget(n)
  busy = busy - 1
  polled[n].fd, polled[n].events, polled[n].revents = polled[busy].fd, polled[busy].events, polled[busy].revents
  waiting[n] = waiting[busy]
end

local function reopen(conn)
  C.close(conn.fd)
  open(conn)
end

-- Sends what is left of a request; false once the connection is over.
local function push(conn, from, length)
  local sent = tonumber(C.send(conn.fd, from, length, AT_ONCE))
  if sent < 0 then
    if ffi.errno() ~= AGAIN then return false end
    sent = 0
  end
  conn.rest = sent < length and ffi.string(from + sent, length - sent)
  return true
end

local chars = ffi.typeof("const char *")
local buffer = ffi.new("char[?]", replies.HEAD + 262144)

-- True if the server has ended a connection while it was idle. Looks at the next byte and leaves it.
local function is_over(conn)
  local got = tonumber(C.recv(conn.fd, buffer, 1, loopback.PEEK))
  return got == 0 or (got < 0 and ffi.errno() ~= AGAIN)
end

local start_us, first_wall_us
-- The time of the last look at the clock, and for how long it did more than look: its use of its core does not say that.
local before, worked_us, worked
-- For how long a look at the clock without work took more than any does: the core was somebody else's.
local halted_us, HALT_US = 0, 50
-- In a closed loop each request is due as soon as a connection is idle.
local next_number, next_due, kind, due_in_all
local behind_us, last_twentieth
local function schedule_next()
  next_number = next_number + 1
  next_due = RATE and next_time() or 0
end

local function lost(conn, n, now, what)
  errors[what] = errors[what] + 1
  forget(n)
  reopen(conn)
  rest(conn, now)
end

local function send(now)
  local conn = ring[first]
  first, idle = (first + 1) % CONNECTIONS, idle - 1
  if not conn.lives then open(conn) end
  local due = RATE and next_due or now
  count(lateness, now - max(due, conn.free))
  if next_number >= last_twentieth then behind_us = min(behind_us, now - due) end
  last_slot = min(floor(now / SLOT_US), MOST_SLOTS - 1)
  slots[last_slot] = slots[last_slot] + 1
  kinds[kind] = kinds[kind] + 1
  conn.due, conn.sent, conn.asked = due, now, true
  conn.asks_head = next_bytes[0] == 72 and next_bytes[1] == 69
  -- The server may have ended a connection while it was idle: the request goes out on a new one.
  if conn.lives and (is_over(conn) or not push(conn, next_bytes, next_length)) then
    reopened = reopened + 1
    reopen(conn)
    if conn.lives and not push(conn, next_bytes, next_length) then
      C.close(conn.fd)
      conn.lives = false
    end
  end
  if conn.lives then
    await(conn)
  else
    errors.write = errors.write + 1
    rest(conn, now)
  end
  schedule_next()
  if next_number < REQUESTS then kind = select(2, build(1)) end
end

-- One turn of a connection that has something for us. Returns true where it is idle again, and has left its place.
local function turn(conn, n)
  if conn.rest then
    local rest_of = conn.rest
    if not push(conn, ffi.cast(chars, rest_of), #rest_of) then
      lost(conn, n, before, "write")
      return true
    end
    polled[n].events = conn.rest and POLLOUT or POLLIN
    return false
  end
  local have = conn.have
  if have > 0 then ffi.copy(buffer, conn.kept, have) end
  local got = tonumber(C.recv(conn.fd, buffer + have, 262144, AT_ONCE))
  if got < 0 and ffi.errno() == AGAIN then return false end
  local whole
  if got > 0 then
    bytes, conn.have = bytes + got, 0
    whole = replies.read(conn, buffer, have + got)
  elseif got == 0 and conn.mode == "end" then
    whole, conn.mode = true, "head"
  end
  if whole == false then return false end
  if whole == nil then
    lost(conn, n, before, "read")
    return true
  end
  local now = clock_us(MONOTONIC) - start_us
  answered, conn.answers = answered + 1, conn.answers + 1
  count(from_due, now - conn.due)
  count(from_sent, now - conn.sent)
  if conn.status > 399 then errors.status = errors.status + 1 end
  forget(n)
  if conn.ends then
    reopened = reopened + 1
    reopen(conn)
  end
  rest(conn, now)
  return true
end

local LOOK_US, end_us = 2000, nil

-- Now and then: whether it is to end, and which requests have waited for too long.
local function look(now)
  if now >= DURATION_US then REQUESTS = min(REQUESTS, next_number) end
  local n = 0
  while n < busy do
    if now - waiting[n].sent > TIMEOUT_US then lost(waiting[n], n, now, "timeout") else n = n + 1 end
  end
  if next_number < REQUESTS and now > max(end_us, next_due) + TIMEOUT_US then REQUESTS = next_number end
end

-- Begins with idle connections, which a function opens: so many requests are due at a rate.
local function begin(opener, connections, rate, requests, lead_us)
  begin_requests()
  begin_counts()
  begin_schedule(rate or 1, requests, seed)
  REQUESTS, due_in_all, last_twentieth, behind_us = requests, requests, floor(0.95 * requests), math.huge
  end_us = rate and requests * 1e6 / rate or math.huge
  open, CONNECTIONS, first, idle, busy = opener, connections, 0, 0, 0
  for n = 0, connections - 1 do
    conns[n] = conns[n] or {
      fd = 0, lives = true, have = 0, kept = "", left = 0, mode = "head", rest = false,
      place = n, answers = 0, asked = false, free = 0, due = 0, sent = 0, asks_head = false, status = 0, ends = false,
    }
    conns[n].answers, conns[n].asked = 0, false
    open(conns[n])
    rest(conns[n], 0)
  end
  halted_us, worked_us, worked, before = 0, 0, 0, 0
  next_number = -1
  schedule_next()
  kind = select(2, build(1))
  first_wall_us, start_us = clock_us(REALTIME) + lead_us, clock_us(MONOTONIC) + lead_us
end

-- Sends and reads until a time of the schedule, or until all is answered. One loop without others in it, since LuaJIT
-- compiles that best: a step looks at one connection after another, then at the clock.
local function run(until_us)
  look(before)
  local n = busy
  while true do
    if n < busy then
      if polled[n].revents == 0 or not turn(waiting[n], n) then n = n + 1 end
    else
      local now = clock_us(MONOTONIC) - start_us
      worked_us = worked_us + worked * (now - before)
      halted_us = halted_us + max(0, (1 - worked) * (now - before) - HALT_US)
      worked, before = 0, now
      if now >= until_us or (busy == 0 and next_number >= REQUESTS) then return end
      if next_number < REQUESTS and next_due <= now and idle > 0 then
        send(now)
        worked = 1
      end
      n = busy
      if n > 0 and C.poll(polled, n, 0) > 0 then n, worked = 0, 1 end
    end
  end
end

-- Runs the loop against itself, with replies as servers send them.
local function warm_up()
  local connections, peers, asked, replied = min(CONNECTIONS, 16), {}, {}, 0
  local function to_itself(conn)
    local fd
    fd, peers[conn.place] = loopback.pair()
    asked[conn.place] = false
    fresh(conn, fd)
  end
  local function reply(n)
    replied, asked[n] = replied + 1, false
    local body = ("x"):rep(conns[n].asks_head and 0 or replied % 32 < 16 and 9 or 150)
    local text = "HTTP/1.1 200 OK\r\n" .. (replied % 16 < 8 and "Connection: keep-alive\r\n" or "")
      .. "Date: " .. floor(replied / 8) .. "\r\n" .. (replied % 64 == 0 and #body > 0 and "Transfer-Encoding: chunked\r\n\r\n"
        .. ("%x\r\n"):format(#body) .. body .. "\r\n0\r\n\r\n" or "Content-Length: " .. #body .. "\r\n\r\n" .. body)
    C.send(peers[n], text, #text, AT_ONCE)
  end
  begin(to_itself, connections, RATE and 50000, 5000, 0)
  local most_us = clock_us(MONOTONIC) + 1e6
  while (busy > 0 or next_number < REQUESTS) and clock_us(MONOTONIC) < most_us do
    -- However busy the machine is, the next request is due soon each time.
    start_us = clock_us(MONOTONIC) - next_due + 30 * kit.random()
    run(next_due + 100 * kit.random())
    for n = 0, connections - 1 do
      if C.recv(peers[n], buffer, 262144, AT_ONCE) > 0 then
        asked[n] = true
      elseif asked[n] and not conns[n].rest and kit.random() < 0.8 then
        reply(n)
      end
    end
  end
  for n = 0, connections - 1 do
    C.close(conns[n].fd)
    C.close(peers[n])
  end
end

local connections, requests = CONNECTIONS, REQUESTS
jit.opt.start("hotloop=20", "hotexit=2")
warm_up()
jit.opt.start("hotloop=56", "hotexit=10")
collectgarbage()
collectgarbage("setpause", 1000)
-- Time to be at work before the first request is due.
begin(to_server, connections, RATE, requests, 5000)
local held_kb = collectgarbage("count")
while busy > 0 or next_number < REQUESTS do
  run(before + LOOK_US)
end
held_kb = collectgarbage("count") - held_kb

local took_us = before
if RATE and next_number == due_in_all then took_us = end_us + (behind_us < math.huge and max(0, behind_us) or 0) end

-- Replies of each connection that was asked anything.
local answers = {}
for n = 0, connections - 1 do
  if conns[n].asked then answers[#answers + 1] = conns[n].answers end
end
local slot_counts = {}
for slot = 0, last_slot do slot_counts[slot + 1] = slots[slot] end
io.write(('levelfield {"startedUs":%.0f,"durationUs":%.0f,"requests":%d,"sent":%d,"due":%d,"bytes":%d,'
  .. '"reopened":%d,"workedUs":%.0f,"haltedUs":%.0f,"heldKb":%.0f,"slotUs":%d,"slots":[%s],"kinds":[%s],"answers":[%s],'
  .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},'
  .. '"fromDue":[%s],"fromSent":[%s],"lateness":[%s]}\n'):format(
    first_wall_us, max(1, took_us), answered, next_number, RATE and due_in_all or next_number, bytes,
    reopened, worked_us, halted_us, held_kb, SLOT_US, table.concat(slot_counts, ","), table.concat(kinds, ","), table.concat(answers, ","),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    histogram.text(from_due), histogram.text(from_sent), histogram.text(lateness)))
io.flush()
os.exit(0)
