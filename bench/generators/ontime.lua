-- Sends requests at the times of a schedule, whatever the server does, and counts each from when it was due, from when it
-- left, and how late it left for this generator's own sake. Run by wrk's own LuaJIT, as null services are: it polls its core,
-- so that no timer of the kernel stands between a request and its time.
--
-- wrk -s ontime.lua -H "program: FILE" -H "rate: 1000" -H "connections: 50" -H "requests: 10000"
--     [-H "timeout: 2000000"] [-H "watch: 1"] http://127.0.0.1:PORT
-- wrk -s ontime.lua -H "program: FILE" -H "connections: 50" -H "duration: 1000000" ...      a closed loop, in microseconds
--
-- FILE is what wrk-program.ts writes. wrk never gets to load anything, since this file never ends. It is longer than others
-- because its loop and all that the loop calls share their state.
--
-- The schedule is one for all connections. A request that is due takes the connection that has been idle for longest; where
-- none is idle it waits for one, which is the server's doing and counts as its time. The generator's lateness is what passed
-- between the later of both, due and free, and the sending.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local kit = require("request-kit")
local replies = require("http-reply")
local floor, min, max = math.floor, math.min, math.max

local mac = ffi.os == "OSX"
ffi.cdef([[
  int socket(int, int, int);
  int setsockopt(int, int, int, const void *, unsigned);
  int connect(int, const void *, unsigned);
  long recv(int, void *, unsigned long, int);
  long send(int, const void *, unsigned long, int);
  int close(int);
  unsigned short htons(unsigned short);
  unsigned inet_addr(const char *);
  typedef struct { int fd; short events, revents; } pollfd_t;
  typedef struct { long sec, nsec; } timespec_t;
  int clock_gettime(int, timespec_t *);
  typedef struct { uint64_t words[16]; } signals_t;
  int sigemptyset(signals_t *);
  int sigaddset(signals_t *, int);
  int sigismember(const signals_t *, int);
  int sigprocmask(int, const signals_t *, signals_t *);
  int sigpending(signals_t *);
]])
ffi.cdef("int poll(pollfd_t *, " .. (mac and "unsigned" or "unsigned long") .. ", int);")
ffi.cdef(mac
  and "typedef struct { unsigned char len, family; unsigned short port; unsigned addr; char zero[8]; } address_t;"
  or "typedef struct { unsigned short family, port; unsigned addr; char zero[8]; } address_t;")
local C = ffi.C

local AF_INET, SOCK_STREAM, TCP, NODELAY, POLLIN, POLLOUT = 2, 1, 6, 1, 1, 4
local AGAIN, SIGINT, BLOCK = mac and 35 or 11, 2, mac and 1 or 0
-- Never waits, and no signal where the server has gone.
local AT_ONCE = mac and 0x80 or 0x4040
local MONOTONIC, REALTIME = mac and 6 or 1, 0

local function fail(text)
  io.stderr:write("ontime: ", text, "\n")
  os.exit(1)
end

local function option(name, otherwise) return wrk.headers[name] or otherwise end
local RATE, CONNECTIONS = tonumber(option("rate")), tonumber(option("connections"))
local REQUESTS, DURATION_US = tonumber(option("requests", math.huge)), tonumber(option("duration", math.huge))
local TIMEOUT_US = tonumber(option("timeout", 2000000))
local WATCH = option("watch") == "1"
if not CONNECTIONS then fail("connections are needed") end
if min(REQUESTS, DURATION_US) == math.huge then fail("requests or a duration are needed") end

local spec = ffi.new("timespec_t")
local function clock_us(which)
  C.clock_gettime(which, spec)
  return tonumber(spec.sec) * 1e6 + tonumber(spec.nsec) * 1e-3
end

-- True after SIGINT: then the rest of the schedule is left out.
local signals, pending = ffi.new("signals_t"), ffi.new("signals_t")
C.sigemptyset(signals)
C.sigaddset(signals, SIGINT)
C.sigprocmask(BLOCK, signals, nil)
local function interrupted()
  C.sigpending(pending)
  return C.sigismember(pending, SIGINT) == 1
end

-- The request that goes next, built before it is due.
local next_bytes, next_length
function kit.request(from, length)
  next_bytes, next_length = from, length
  return true
end
local seed, makers, maker_of = assert(loadfile(option("program")))(kit)
kit.seed(seed, 0)
local build, kind_count = makers[maker_of[1] or 1](0)
local kinds = {}
for kind = 1, kind_count do kinds[kind] = 0 end

-- Counts by whole microseconds; what is beyond the array stands in a table.
local WIDTH = 1048576
local function histogram() return { counts = ffi.new("uint32_t[?]", WIDTH), beyond = {}, most = 0 } end
local function count(held, us)
  local at = max(0, floor(us))
  if at < WIDTH then
    held.counts[at] = held.counts[at] + 1
    if at > held.most then held.most = at end
  else
    held.beyond[at] = (held.beyond[at] or 0) + 1
  end
end
local from_due, from_sent, lateness = histogram(), histogram(), histogram()

local errors = { connect = 0, read = 0, write = 0, timeout = 0, status = 0 }
local bytes, answered, reopened = 0, 0, 0

local address = ffi.new("address_t")
if mac then address.len = ffi.sizeof(address) end
address.family, address.port, address.addr = AF_INET, C.htons(tonumber(wrk.port)), C.inet_addr(wrk.host)
local one = ffi.new("int[1]", 1)

-- A connection keeps the beginning of a reply that came in pieces, and what of its request is not sent yet.
local function open(conn)
  conn.fd = C.socket(AF_INET, SOCK_STREAM, 0)
  if conn.fd < 0 then fail("no more sockets: error " .. ffi.errno()) end
  C.setsockopt(conn.fd, TCP, NODELAY, one, 4)
  conn.have, conn.left, conn.mode, conn.rest = 0, 0, "head", nil
  conn.lives = C.connect(conn.fd, address, ffi.sizeof(address)) == 0
  if not conn.lives then
    C.close(conn.fd)
    errors.connect = errors.connect + 1
  end
end

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
  waiting[busy] = nil
end

for n = 0, CONNECTIONS - 1 do
  conns[n] = {}
  open(conns[n])
  rest(conns[n], 0)
end

local function reopen(conn)
  C.close(conn.fd)
  reopened = reopened + 1
  open(conn)
end

-- Sends what is left of a request; false once the connection is over.
local function push(conn, from, length)
  local sent = tonumber(C.send(conn.fd, from, length, AT_ONCE))
  if sent < 0 then
    if ffi.errno() ~= AGAIN then return false end
    sent = 0
  end
  conn.rest = sent < length and ffi.string(from + sent, length - sent) or nil
  return true
end

local chars = ffi.typeof("const char *")
local buffer = ffi.new("char[?]", replies.HEAD + 262144)

local epoch_us, start_us = clock_us(REALTIME), clock_us(MONOTONIC)
-- Time to be at work before the first request is due.
start_us = start_us + 5000
local first_wall_us = epoch_us + 5000
-- In a closed loop each request is due as soon as a connection is idle.
local STEP_US = RATE and 1e6 / RATE or 0
local next_number, next_due = 0, 0
local function schedule_next()
  next_number = next_number + 1
  next_due = next_number * STEP_US
end

local kind = select(2, build(1))
local slots, SLOT_US = {}, 100000
local behind_us, last_twentieth = math.huge, floor(0.95 * REQUESTS)

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
  local slot = floor(now / SLOT_US) + 1
  slots[slot] = (slots[slot] or 0) + 1
  kinds[kind] = kinds[kind] + 1
  conn.due, conn.sent = due, now
  conn.asks_head = next_bytes[0] == 72 and next_bytes[1] == 69
  -- A connection that the server has closed while it was idle takes nothing: the request goes out on a new one.
  if conn.lives and not push(conn, next_bytes, next_length) then
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
local function turn(conn, n, now)
  if conn.rest then
    local rest_of = conn.rest
    if not push(conn, ffi.cast(chars, rest_of), #rest_of) then
      lost(conn, n, now, "write")
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
    lost(conn, n, now, "read")
    return true
  end
  now = clock_us(MONOTONIC) - start_us
  answered = answered + 1
  count(from_due, now - conn.due)
  count(from_sent, now - conn.sent)
  if conn.status > 399 then errors.status = errors.status + 1 end
  forget(n)
  if conn.ends then reopen(conn) end
  rest(conn, now)
  return true
end

local LOOK_US, WATCH_US = 2000, 50000
local next_look, next_watch = 0, WATCH_US
local end_us = RATE and REQUESTS * STEP_US or math.huge

-- Now and then: whether it is to end, who has waited for too long, and how much was sent.
local function look(now)
  next_look = now + LOOK_US
  if interrupted() or now >= DURATION_US then REQUESTS = min(REQUESTS, next_number) end
  local n = 0
  while n < busy do
    if now - waiting[n].sent > TIMEOUT_US then lost(waiting[n], n, now, "timeout") else n = n + 1 end
  end
  if next_number < REQUESTS and now > max(end_us, next_due) + TIMEOUT_US then REQUESTS = next_number end
  if WATCH and now >= next_watch then
    next_watch = now + WATCH_US
    io.write(("sent 0 %.0f %d\n"):format(first_wall_us + now, next_number))
    io.flush()
  end
end

local due_in_all = REQUESTS
-- Time it worked and did not only look whether there is something to do: its use of its core says nothing of that.
local worked_us, worked, before = 0, false, 0
while next_number < REQUESTS or busy > 0 do
  local now = clock_us(MONOTONIC) - start_us
  if worked then worked_us = worked_us + now - before end
  worked, before = false, now
  if next_number < REQUESTS and next_due <= now and idle > 0 then
    send(now)
    worked = true
  end
  if busy > 0 and C.poll(polled, busy, 0) > 0 then
    worked = true
    local n = 0
    while n < busy do
      if polled[n].revents == 0 or not turn(waiting[n], n, now) then n = n + 1 end
    end
  end
  if now >= next_look then look(now) end
end

local took_us = before
if RATE and next_number == due_in_all then took_us = next_number * STEP_US + (behind_us < math.huge and max(0, behind_us) or 0) end

local function pairs_of(held)
  local lines, beyond = {}, {}
  for at = 0, held.most do
    if held.counts[at] > 0 then lines[#lines + 1] = ("[%d,%d]"):format(at, held.counts[at]) end
  end
  for at in pairs(held.beyond) do beyond[#beyond + 1] = at end
  table.sort(beyond)
  for _, at in ipairs(beyond) do lines[#lines + 1] = ("[%d,%d]"):format(at, held.beyond[at]) end
  return table.concat(lines, ",")
end
local last_slot = 0
for slot in pairs(slots) do last_slot = max(last_slot, slot) end
for slot = 1, last_slot do slots[slot] = slots[slot] or 0 end
io.write(('levelfield {"startedUs":%.0f,"durationUs":%.0f,"requests":%d,"sent":%d,"due":%d,"bytes":%d,"reopened":%d,'
  .. '"workedUs":%.0f,"slotUs":%d,"slots":[%s],"kinds":[%s],'
  .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},'
  .. '"fromDue":[%s],"fromSent":[%s],"lateness":[%s]}\n'):format(
    first_wall_us, max(1, took_us), answered, next_number, RATE and due_in_all or next_number, bytes, reopened, worked_us, SLOT_US, table.concat(slots, ","), table.concat(kinds, ","),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout,
    pairs_of(from_due), pairs_of(from_sent), pairs_of(lateness)))
io.flush()
os.exit(0)
