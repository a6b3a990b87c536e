-- Sends messages over WebSocket connections in a closed loop, or at the times of a schedule, and prints what came of them as one JSON line. Run by wrk's
-- own LuaJIT, as null services are. See docs/websocket.md. It is longer than others because its loop and all that the loop
-- calls share their state.
--
-- wrk -s websocket.lua -H "program: FILE" http://127.0.0.1:PORT      FILE is what websocket.ts writes
--
-- Each connection keeps some messages in flight. Each message holds a number, as eight hexadecimal digits: its sender's
-- place in ten bits, and its place among that sender's. So no message is lost, doubled or out of order unseen. Echo is a
-- room of one: in a room each message comes to all members, and its sender sends the next when it has come back to itself.
--
-- Before its window each connection sends one message, and waits until it is back: by then the server has let it into its
-- room. And the loop runs against itself over pairs of sockets, so that all of it is compiled. It allocates nothing for a
-- message. A turn of the loop does one thing, without a loop of its own, since LuaJIT compiles that best.
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "?.lua;" .. package.path
local ffi = require("ffi")
local bit = require("bit")
local kit = require("request-kit")
local histogram = require("histogram")
local loopback = require("loopback")
local ready = require("ready")
local tls = require("tls")
local frames = require("frames")
local floor, max, min = math.floor, math.max, math.min
local band, bor, lshift, rshift = bit.band, bit.bor, bit.lshift, bit.rshift
local C, AGAIN, AT_ONCE = ffi.C, loopback.AGAIN, loopback.AT_ONCE
local MONOTONIC, REALTIME = loopback.MONOTONIC, loopback.REALTIME

ffi.cdef([[
  int memcmp(const void *, const void *, unsigned long);
  typedef struct { unsigned long bits[16]; } signals_t;
  int sigemptyset(signals_t *);
  int sigaddset(signals_t *, int);
  int sigismember(const signals_t *, int);
  int sigprocmask(int, const signals_t *, signals_t *);
  int sigpending(signals_t *);
  void (*signal(int, void (*)(int)))(int);
]])

loopback.name = "websocket"
local function fail(text)
  io.stderr:write(loopback.name, ": ", text, "\n")
  os.exit(1)
end

-- An interrupt ends the load: it is held back, and looked for now and then.
local INTERRUPT, signals = 2, ffi.new("signals_t")
C.sigemptyset(signals)
C.sigaddset(signals, INTERRUPT)
C.sigprocmask(ffi.os == "OSX" and 1 or 0, signals, nil)
C.signal(INTERRUPT, nil)
local function is_interrupted()
  C.sigpending(signals)
  return C.sigismember(signals, INTERRUPT) == 1
end

local plan = assert(loadfile(wrk.headers["program"]))()
local EACH, MEMBERS, IN_FLIGHT, TIMEOUT_US = plan.connections, plan.members, plan.inFlight, plan.timeoutUs
local SEVERAL, MOST = #plan.ports > 1, plan.most or math.huge
local SLOT_US, WATCH_US, MOST_SLOTS = SEVERAL and 20000 or 100000, SEVERAL and 20000 or 50000, 36000
if EACH > 1023 or IN_FLIGHT > 1023 then fail("it numbers at most 1023 connections, and as many messages in flight") end

-- Frames to send stand behind one another, all but their numbers masked beforehand.
local KIND, NUMBER = plan.kind, plan.numberAt
kit.seed(plan.seed, 1)
local key = ("...."):gsub(".", function() return string.char(floor(256 * kit.random())) end)
local frame = frames.frame(KIND, plan.message, key)
local FRAME, out = #frame, ffi.new("unsigned char[?]", #frame * IN_FLIGHT + 8, frame:rep(IN_FLIGHT))
local NUMBER_OUT, pairs_out = FRAME - #plan.message + (NUMBER or 0), {}
-- Values of two digits by their bytes. What holds others is above all numbers.
local values, NO_DIGITS = ffi.new("double[65536]"), 65536
for pair = 0, 65535 do values[pair] = NO_DIGITS end
for place = 0, 3 do
  pairs_out[place] = ffi.new("uint16_t[256]")
  for byte = 0, 255 do
    local digits = ("%02x"):format(byte)
    values[digits:byte(1) + 256 * digits:byte(2)] = byte
    local function masked(n) return bit.bxor(digits:byte(n), key:byte(((NUMBER or 0) + 2 * place + n - 1) % 4 + 1)) end
    pairs_out[place][byte] = masked(1) + 256 * masked(2)
  end
end
local first_pair, second_pair, third_pair, fourth_pair = pairs_out[0], pairs_out[1], pairs_out[2], pairs_out[3]
local digits_of = ffi.typeof("uint16_t *")
local function write_number(to, number)
  local digits = ffi.cast(digits_of, to)
  digits[0], digits[1] = first_pair[rshift(number, 24)], second_pair[band(rshift(number, 16), 255)]
  digits[2], digits[3] = third_pair[band(rshift(number, 8), 255)], fourth_pair[band(number, 255)]
end

-- A message that each connection sends once, and the messages that answer it before the first that counts.
local FIRST = plan.first and frames.frame(plan.firstKind, plan.first, key)

-- The frame that the server at work sends, and where in its payload the number is: hold() sets them. Payloads up to a
-- length are compared whole, of longer ones every 64th.
local held, due_bytes, whole_due, REPLY, DUE, HEAD, LENGTH, BEFORE, AFTER
local SHORT, CAPACITY = 1024, 16384
for _, reply in ipairs(plan.replies) do
  local expected = frames.frame(reply.kind, reply.message)
  reply.due, reply.bytes = #expected, ffi.new("unsigned char[?]", #expected + 1, expected)
  CAPACITY = max(CAPACITY, 2 * reply.due + 1024)
end
local function hold(target)
  held, REPLY = target, target.reply
  due_bytes, DUE, LENGTH = REPLY.bytes, REPLY.due, #REPLY.message
  HEAD, BEFORE, AFTER = DUE - LENGTH, REPLY.numberAt or LENGTH, REPLY.numberAt and REPLY.numberAt + 8 or LENGTH
  whole_due = ffi.cast("const unsigned char *", due_bytes + HEAD)
end

-- Places of a sender's messages go from 0 to the one before this, and begin again; it is the place of those before a window.
local LAST, HALF = 4194303, 2097151
-- By receiver and sender in its room: the highest place so far, which of the 32 up to it have come, and whether the message
-- before the window has.
local highest = ffi.new("int[?]", #plan.ports * EACH * MEMBERS)
local seen = ffi.new("uint32_t[?]", #plan.ports * EACH * MEMBERS)
local greeted = ffi.new("uint8_t[?]", #plan.ports * EACH * MEMBERS)
-- When each of a sender's last messages left.
local KEPT = 1024
local left_us = ffi.new("double[?]", #plan.ports * EACH * KEPT)
local times, count = histogram.new(), histogram.count
-- At a rate one schedule is for all connections, as ontime.lua has it: when each message was due, times from then, how late
-- messages left, and how many more may be in flight. It polls its core, and counts the time in which it did more.
local RATE, ALL = plan.rate, plan.due
local begin_schedule, next_time = kit.schedule(plan.schedule)
local due_us = ffi.new("double[?]", RATE and EACH * KEPT or 1)
local from_due, lateness = histogram.new(), histogram.new()
local free, turn, begun, next_due, last_us, before, worked, worked_us = 0, 0, 0, math.huge, 0, 0, 0, 0
local conns, targets, errors, closes = {}, {}, nil, nil
local start_us, first_wall_us, is_sending, fault, arrived_us, is_watched = 0, 0, true, nil, 0, false

local function fresh()
  for _, held in ipairs({ times, from_due, lateness }) do histogram.clear(held) end
  for n = 0, #plan.ports * EACH * MEMBERS - 1 do highest[n], seen[n], greeted[n] = LAST - 1, 0xffffffff, 0 end
  for n, port in ipairs(plan.ports) do
    targets[n] = {
      port = port, place = n - 1, joined = 0, is_begun = false, received = 0, sent = 0, bytes = 0,
      doubled = 0, reordered = 0, changed = 0, broken = 0, late = 0, reply = plan.replies[n], reported_us = 0, slots = ffi.new("uint32_t[?]", MOST_SLOTS), last_slot = 0,
    }
    for number = 0, EACH - 1 do
      local place = (n - 1) * EACH + number
      local base = place - number % MEMBERS
      conns[place] = {
        fd = 0, place = place, number = number, first = base - (n - 1) * EACH, base = base, target = targets[n],
        mode = "upgrade", input = conns[place] and conns[place].input or ffi.new("unsigned char[?]", CAPACITY), have = 0,
        due = 0, waiting = 0, next = 0, received = 0, sent = 0, rest = false, part = false, part_kind = 0, compared = 0,
        key = "", said = "none", free_us = 0, secure = false, is_full = false, answers = 0,
      }
    end
  end
  start_us, first_wall_us, is_sending, fault, arrived_us, held = 0, 0, true, nil, 0, nil
  free, turn, begun, next_due, last_us, before, worked, worked_us = 0, 0, 0, math.huge, 0, 0, 0, 0
  errors, closes = { read = 0, write = 0, timeout = 0 }, {}
end

-- The connection at work, where in its bytes, whether these are read, frames written for it, and the time.
local conn, at, is_reading, written, now = nil, 0, false, 0, 0

local function drop(one)
  ready.drop(one.fd, one.place)
  if one.secure then tls.close(one.secure) end
  C.close(one.fd)
end

local BEFORE_OPEN = {
  join = " before its first message was back", first = " before it had answered the opening message",
  upgrade = " before it answered the handshake", secure = " before it answered the handshake", refused = "",
}
local function over(one, kind, text)
  if one.mode ~= "open" then
    -- Servers that stand still in between may end connections that are not open yet: a fault as any of theirs.
    if not SEVERAL then fail(text .. BEFORE_OPEN[one.mode]) end
    text, one.target.joined = text .. BEFORE_OPEN[one.mode], one.target.joined + 1
  end
  errors[kind], one.target.broken = errors[kind] + 1, one.target.broken + 1
  fault = fault or text
  if RATE and one.number < plan.senders then free = free - (IN_FLIGHT - one.waiting) end
  drop(one)
  one.mode, one.waiting, one.due, one.have, at, one.is_full = "over", 0, 0, 0, 0, false
  is_reading, written = false, 0
end
local function ended(one, kind)
  closes[1006] = (closes[1006] or 0) + 1
  return over(one, kind, "the server ended a connection without a close frame")
end

-- Bytes of a connection by its socket or by TLS. They return how many; reading -1 if none have come and 0 at the end,
-- writing -1 at the end.
local function read(one, to, length)
  if one.secure then return tls.read(one.secure, to, length) end
  local got = tonumber(C.recv(one.fd, to, length, AT_ONCE))
  return got >= 0 and got or ffi.errno() == AGAIN and -1 or 0
end
local function send(one, from, length)
  if one.secure then return tls.write(one.secure, from, length) end
  local sent = tonumber(C.send(one.fd, from, length, AT_ONCE))
  return sent >= 0 and sent or ffi.errno() == AGAIN and 0 or -1
end

-- Bytes that cannot be sent at once are kept: of pings whose answers are not read at most so many.
local MOST_KEPT = 1048576 + FRAME * IN_FLIGHT
local function push(one, from, length)
  if one.rest then
    if #one.rest + length > MOST_KEPT then return over(one, "read", "the server sent pings, and does not read their answers") end
    one.rest = one.rest .. ffi.string(from, length)
    return
  end
  local sent = send(one, from, length)
  if sent < 0 then return ended(one, "write") end
  if sent < length then
    one.rest = ffi.string(from + sent, length - sent)
    ready.writes(one.fd, one.place, true)
  end
end
local function push_text(one, text) push(one, ffi.cast("const unsigned char *", text), #text) end

local function changed(one, text, bytes)
  if bytes then text = ("%s: '%s'"):format(text, (bytes:sub(1, 40):gsub("[^ !#-%[%]-~]", "?"))) end
  if one.mode == "join" then
    one.said = text
    return
  end
  one.target.changed = one.target.changed + 1
  fault = fault or "the server sent " .. text
end

-- A connection's first message is back.
local function joined(one)
  one.mode = "open"
  one.target.joined = one.target.joined + 1
end

-- Takes a message from before the window, which each member of a room may get once from each that has sent it.
local function first_message(one, sender, pair)
  if sender.mode ~= "join" and sender.mode ~= "open" then return changed(one, "a message that was never sent to it") end
  if greeted[pair] == 1 then
    one.target.doubled = one.target.doubled + 1
    return
  end
  greeted[pair] = 1
  if sender == one then joined(one) end
end

-- Takes a message of the kind and length that is due.
local function message(one, payload)
  local target, from, place, sender = one.target, 0, one.next, one
  if LENGTH <= SHORT or band(one.compared, 63) == 0 then
    if C.memcmp(payload, whole_due, BEFORE) ~= 0
      or C.memcmp(payload + AFTER, whole_due + AFTER, LENGTH - AFTER) ~= 0 then
      return changed(one, "another message than is due", ffi.string(payload, min(LENGTH, 40)))
    end
  end
  one.compared = one.compared + 1
  if AFTER > BEFORE then
    local digits = ffi.cast(digits_of, payload + BEFORE)
    local high = values[digits[0]] * 256 + values[digits[1]]
    local low = values[digits[2]] * 256 + values[digits[3]]
    if max(high, low) >= NO_DIGITS then return changed(one, "a message without its number") end
    local number = bor(lshift(high, 16), low)
    from, place = rshift(number, 22) - one.first, band(number, LAST)
    if from < 0 or from >= MEMBERS then return changed(one, "a message of another connection or room") end
    sender = conns[one.base + from]
    local pair = one.place * MEMBERS + from
    if place == LAST then return first_message(one, sender, pair) end
    local ahead = place - highest[pair]
    if ahead > HALF then ahead = ahead - LAST elseif ahead < -HALF then ahead = ahead + LAST end
    if ahead == 1 then
      if place == sender.next then return changed(one, "a message that was never sent to it") end
      highest[pair], seen[pair] = place, bor(lshift(seen[pair], 1), 1)
    elseif ahead > 1 then
      local unsent = place - sender.next
      if unsent < -HALF then unsent = unsent + LAST elseif unsent > HALF then unsent = unsent - LAST end
      if unsent >= 0 then return changed(one, "a message that was never sent to it") end
      highest[pair], seen[pair] = place, ahead < 32 and bor(lshift(seen[pair], ahead), 1) or 1
    elseif ahead > -32 and band(seen[pair], lshift(1, -ahead)) == 0 then
      seen[pair] = bor(seen[pair], lshift(1, -ahead))
      target.reordered = target.reordered + 1
    else
      target.doubled = target.doubled + 1
      return
    end
  elseif one.mode == "join" then
    return joined(one)
  elseif one.waiting == 0 then
    target.doubled = target.doubled + 1
    return
  else
    place = one.next - one.waiting
    if place < 0 then place = place + LAST end
  end
  local took_us = now - left_us[sender.place * KEPT + band(place, KEPT - 1)]
  count(times, took_us)
  if RATE then count(from_due, now - due_us[sender.place * KEPT + band(place, KEPT - 1)]) end
  if took_us > TIMEOUT_US then errors.timeout, target.late = errors.timeout + 1, target.late + 1 end
  one.received, target.received, target.bytes = one.received + 1, target.received + 1, target.bytes + DUE
  local slot = min(floor(now / SLOT_US), MOST_SLOTS - 1)
  target.slots[slot], target.last_slot = target.slots[slot] + 1, slot
  if sender == one then
    one.waiting = one.waiting - 1
    if RATE then free, one.free_us = free + 1, now else one.due = one.due + 1 end
  end
end

local function wrong(one, text) return over(one, "read", "the server sent " .. text) end

-- Takes a frame that is no whole message of the kind and length that is due. Returns false while it has not all come.
local function other_frame(one, from, have)
  local head, length = frames.head(from, have)
  if not head then return false end
  local kind, is_last = band(from[0], 15), from[0] > 127
  if band(from[0], 112) ~= 0 then return wrong(one, "a frame with bits of an extension that was not requested") end
  if from[1] > 127 then return wrong(one, "a masked frame") end
  if length < (head == 4 and 126 or head == 10 and 65536 or 0) then return wrong(one, "a length in more bytes than it needs") end
  if kind > 10 or (kind > 2 and kind < 8) then return wrong(one, "a frame of the unknown kind " .. kind) end
  if kind > 7 and (length > 125 or not is_last) then return wrong(one, "a control frame that is long or in parts") end
  if kind < 3 and (kind == 0) ~= (one.part ~= false) then return wrong(one, "parts of messages in a wrong order") end
  if head + length > CAPACITY then return wrong(one, ("a frame of %.0f bytes, %d are due"):format(length, LENGTH)) end
  if have < head + length then return false end
  at = at + head + length
  local payload = ffi.string(from + head, length)
  if kind == frames.PING then
    push_text(one, frames.frame(frames.PONG, payload, key))
  elseif kind == frames.CLOSE then
    local code = length > 1 and payload:byte(1) * 256 + payload:byte(2) or 1005
    if length == 1 or (length > 1 and not frames.is_code(code)) then
      return wrong(one, "a close frame with an invalid code")
    end
    closes[code] = (closes[code] or 0) + 1
    local after = one.mode == "open" and (" after %d replies"):format(one.received) or ""
    over(one, "read", ("the server closed a connection with %d%s"):format(code, after))
  elseif kind < 3 then
    one.part, one.part_kind = (one.part or "") .. payload, kind == 0 and one.part_kind or kind
    if #one.part > CAPACITY then return wrong(one, "a message without an end") end
    if is_last then
      local text, of = one.part, one.part_kind
      one.part = false
      if one.mode == "first" then
        one.answers = one.answers + 1
      elseif of ~= REPLY.kind then
        changed(one, of == 1 and "a text message, binary is due" or "a binary message, text is due")
      elseif #text ~= LENGTH then
        changed(one, ("a message of %d bytes, %d are due"):format(#text, LENGTH), text)
      else
        message(one, ffi.cast("const unsigned char *", text))
      end
    end
  end
  return true
end

-- Takes the next frame of the connection at work. Returns false if none has come whole.
local function take(one)
  local from, have = one.input + at, one.have - at
  if have < 2 then return false end
  if have < DUE or from[0] ~= due_bytes[0] or from[1] ~= due_bytes[1] or one.part
    or (HEAD > 2 and C.memcmp(from, due_bytes, HEAD) ~= 0) then
    return other_frame(one, from, have)
  end
  message(one, from + HEAD)
  at = at + DUE
  return true
end

-- Writes the next message of a connection behind those written before.
local function write(one)
  local place = one.next
  if NUMBER then write_number(out + (written * FRAME + NUMBER_OUT), bor(lshift(one.number, 22), place)) end
  left_us[one.place * KEPT + band(place, KEPT - 1)] = now
  one.next = place + 1 == LAST and 0 or place + 1
  one.due, one.waiting, one.sent, one.target.sent = one.due - 1, one.waiting + 1, one.sent + 1, one.target.sent + 1
  written = written + 1
end

-- Sends the first message that counts once all answers to the opening message have come.
local function join(one)
  while one.mode == "first" and one.answers < REPLY.first do
    if not other_frame(one, one.input + at, one.have - at) then return end
  end
  if one.mode ~= "first" then return end
  one.mode, is_reading = "join", true
  if NUMBER then write_number(out + NUMBER_OUT, bor(lshift(one.number, 22), LAST)) end
  push(one, out, FRAME)
end

-- Reads what has come of the reply to a connection's handshake, and sends its opening message once that is whole.
local function greet(one)
  local head = ffi.string(one.input, one.have)
  local past = select(2, head:find("\r\n\r\n", 1, true))
  if not past then
    if one.have == CAPACITY then fail("the server sends a head without an end") end
    return
  end
  local why = frames.refused(head:sub(1, past), one.key, plan.protocol)
  if why then
    one.mode = "refused"
    return over(one, "read", "the server " .. why)
  end
  one.mode, at = "first", past
  if FIRST then push_text(one, FIRST) end
  join(one)
end

-- Says how much has come from a server so far.
local function report(target)
  target.reported_us = now
  io.write(("sent %d %.0f %d\n"):format(target.place, first_wall_us + now, target.received))
  io.flush()
end

-- Requests to open a WebSocket.
local function request(one)
  one.mode = "upgrade"
  local random = ("."):rep(16):gsub(".", function() return string.char(floor(256 * kit.random())) end)
  one.key = frames.base64(random)
  local room = ("%08x"):format(floor(one.number / MEMBERS))
  push_text(one, (plan.request:gsub("{room}", room, 1):gsub("{port}", one.target.port, 1)) .. one.key .. "\r\n\r\n")
end

-- Goes on with a connection's handshake of TLS.
local function secure(one)
  local is_through = tls.shake(one.secure)
  if is_through == false then fail("the server breaks off the handshake of TLS") end
  if is_through then request(one) end
end

-- Begins the turn of a connection that has something for us.
local function open_turn(one)
  if one.rest then
    local rest = one.rest
    one.rest = false
    ready.writes(one.fd, one.place, false)
    push_text(one, rest)
  end
  is_reading, at, one.is_full = false, 0, false
  if one.mode == "over" then return end
  if one.target ~= held then hold(one.target) end
  if one.mode == "secure" then return secure(one) end
  local room = CAPACITY - one.have
  local got = read(one, one.input + one.have, room)
  if got < 0 then return end
  if got == 0 then return ended(one, "read") end
  -- A socket is no longer ready once TLS has read it, though TLS may hold more.
  one.is_full = one.secure and got == room
  now = loopback.clock_us(MONOTONIC) - start_us
  local target = one.target
  if target.is_begun then arrived_us = now end
  if is_watched and target.is_begun and now - target.reported_us >= WATCH_US then report(target) end
  one.have = one.have + got
  if one.mode == "upgrade" then greet(one) elseif one.mode == "first" then join(one) else is_reading = true end
end

-- Ends the turn of the connection at work: what is written goes out, the beginning of a frame is kept.
local function close_turn(one)
  if written > 0 then
    push(one, out, written * FRAME)
    written = 0
  end
  if at > 0 then
    one.have = one.have - at
    if one.have > 0 then C.memmove(one.input, one.input + at, one.have) end
    at = 0
  end
  conn = nil
  if one.is_full then
    conn = one
    open_turn(one)
  end
end

-- Sends the message that is due on a connection that may have one more in flight; the next one is looked at else.
local function send_due(one, time)
  turn = turn + 1 == plan.senders and 0 or turn + 1
  if one.waiting >= IN_FLIGHT or one.mode ~= "open" or one.rest then return end
  count(lateness, time - max(next_due, one.free_us))
  due_us[one.place * KEPT + band(one.next, KEPT - 1)] = next_due
  conn, now, last_us, free, begun, one.due = one, time, time, free - 1, begun + 1, 1
  write(one)
  next_due = begun < ALL and next_time() or math.huge
end

-- Goes on until a time, or until nothing has come for some milliseconds. One loop without others in it.
local function run(until_us, patience_ms)
  local n, found = 0, 0
  while true do
    if conn then
      if is_reading then
        is_reading = take(conn)
      elseif conn.due > 0 and is_sending and conn.target.is_begun and conn.sent < MOST and not conn.rest then
        if written == 0 then now = loopback.clock_us(MONOTONIC) - start_us end
        write(conn)
      else
        close_turn(conn)
      end
    elseif n < found then
      conn = conns[ready.place(n)]
      n = n + 1
      open_turn(conn)
    else
      local time = loopback.clock_us(MONOTONIC) - start_us
      worked_us, before, worked = worked_us + worked * (time - before), time, 0
      if time >= until_us then return end
      if free > 0 and next_due <= time and is_sending then
        worked = 1
        send_due(conns[turn], time)
      else
        n, found = 0, ready.wait(RATE and 0 or patience_ms)
        if found > 0 then worked = 1 elseif not RATE then return end
      end
    end
  end
end

-- Has all connections of a server send their first messages of the window, but those that it has ended by then.
local function begin(target, rate)
  target.is_begun = true
  if start_us == 0 then first_wall_us, start_us = loopback.clock_us(REALTIME), loopback.clock_us(MONOTONIC) end
  if RATE then
    free, before, worked, worked_us = 0, 0, 0, 0
    for number = 0, plan.senders - 1 do
      if conns[target.place * EACH + number].mode == "open" then free = free + IN_FLIGHT end
    end
    begin_schedule(rate, ALL, plan.seed)
    next_due = next_time()
    return
  end
  for number = 0, plan.senders - 1 do
    conn = conns[target.place * EACH + number]
    if conn.mode == "open" then
      conn.due, now = IN_FLIGHT, loopback.clock_us(MONOTONIC) - start_us
      for _ = 1, conn.rest and 0 or min(IN_FLIGHT, MOST) do write(conn) end
      close_turn(conn)
    end
  end
  conn = nil
end

-- Runs the loop against itself: the other ends of pairs of sockets send back what they get, to all of a room. It ends once
-- more was sent than a socket holds.
local function warm_up()
  fresh()
  local peers, ends, buffer, SIZE = {}, {}, ffi.new("unsigned char[?]", 262144), 262144
  for place = 0, EACH - 1 do
    conns[place].fd, peers[place] = loopback.pair()
    conns[place].mode = "open"
    ready.add(conns[place].fd, place)
    if plan.tls then conns[place].secure, ends[place] = tls.pair(conns[place].fd, peers[place]) end
  end
  ALL = 20000
  local is_paired = not plan.tls or ends[EACH - 1] ~= nil
  if is_paired then begin(targets[1], 50000) end
  local most_us = loopback.clock_us(MONOTONIC) + 300000
  while is_paired and not fault and targets[1].received < 20000 and loopback.clock_us(MONOTONIC) < most_us do
    for place = 0, EACH - 1 do
      local got = ends[place] and tls.read(ends[place], buffer, SIZE) or tonumber(C.recv(peers[place], buffer, SIZE, AT_ONCE))
      local made = got > 0 and frames.unmasked(buffer, got, SIZE) or 0
      local base = conns[place].base
      for member = base, base + (made > 0 and MEMBERS or 0) - 1 do
        if ends[member] then tls.write(ends[member], buffer, made) else C.send(peers[member], buffer, made, AT_ONCE) end
      end
    end
    run(RATE and loopback.clock_us(MONOTONIC) - start_us + 100 or math.huge, 0)
  end
  for place = 0, EACH - 1 do
    if conns[place].mode ~= "over" then drop(conns[place]) end
    if ends[place] then tls.close(ends[place]) end
    C.close(peers[place])
  end
  ALL = plan.due
end

-- Opens all connections.
local function connect()
  for place = 0, #plan.ports * EACH - 1 do
    local one, connected = conns[place], nil
    one.fd, connected = loopback.connect(one.target.port)
    if not connected then fail("the server takes no connection") end
    if not ready.add(one.fd, place) then fail("the system watches no more connections") end
    if plan.tls then
      one.mode, one.secure = "secure", tls.client(one.fd)
      secure(one)
    else
      request(one)
    end
  end
end

-- Messages that are due to a connection and have not come.
local function missing(one)
  local due = 0
  for member = one.base, one.base + MEMBERS - 1 do due = due + conns[member].sent end
  return due - one.received
end

-- Waits until all that was sent is back, then a little longer: what comes twice comes late. Gives up where nothing comes,
-- at once if nothing has come for that long.
local function drain(is_stuck)
  local QUIET_US = 20000
  local function is_awaited()
    for place = 0, #plan.ports * EACH - 1 do
      if conns[place].mode ~= "over" and missing(conns[place]) > 0 then return true end
    end
    return false
  end
  local quiet_from = loopback.clock_us(MONOTONIC)
  while loopback.clock_us(MONOTONIC) - quiet_from < (not is_stuck and is_awaited() and TIMEOUT_US or QUIET_US) do
    local before = arrived_us
    run(loopback.clock_us(MONOTONIC) - start_us + 5000, 5)
    if arrived_us > before then quiet_from = loopback.clock_us(MONOTONIC) end
  end
end

-- True once each connection that is left has sent as many messages as the load has for it.
local function is_all_sent()
  for place = 0, #plan.ports * EACH - 1 do
    if conns[place].sent < MOST and conns[place].number < plan.senders and conns[place].mode ~= "over" then return false end
  end
  return true
end

jit.opt.start("hotloop=20", "hotexit=2")
if FRAME * IN_FLIGHT <= 65536 then warm_up() end
jit.opt.start("hotloop=56", "hotexit=10")
fresh()
is_watched = plan.watched
collectgarbage()
connect()
local opened_us, window_us, is_stuck = loopback.clock_us(MONOTONIC), math.huge, false
while is_sending do
  run(loopback.clock_us(MONOTONIC) - start_us + 10000, 10)
  for _, target in ipairs(targets) do
    if not target.is_begun and target.joined == EACH then begin(target, RATE) end
    if not target.is_begun and loopback.clock_us(MONOTONIC) - opened_us > TIMEOUT_US then
      local one = conns[target.place * EACH]
      for number = 0, EACH - 1 do
        local each = conns[target.place * EACH + number]
        if each.mode ~= "open" and each.mode ~= "over" then one = each end
      end
      fail("the server does not answer " .. (one.mode == "secure" and "the handshake of TLS" or one.mode == "upgrade" and "the handshake"
        or one.mode == "first" and ("the opening message as recorded: %d of %d answers came"):format(one.answers, target.reply.first)
        or "a message, it sent " .. one.said))
    end
  end
  window_us = start_us == 0 and 0 or loopback.clock_us(MONOTONIC) - start_us
  is_stuck = plan.most and start_us > 0 and window_us - arrived_us > TIMEOUT_US
  if RATE and begun == ALL then break end
  is_sending = window_us < plan.durationUs and not is_stuck and not is_interrupted() and not is_all_sent()
end
if plan.drains then drain(is_stuck) end

local threads = {}
for n, target in ipairs(targets) do
  local slots, losers, answers = {}, 0, {}
  for slot = 0, target.last_slot do slots[slot + 1] = target.slots[slot] end
  for number = 0, EACH - 1 do
    local one = conns[target.place * EACH + number]
    local lacks = missing(one)
    if lacks > 0 then losers = losers + 1 end
    -- One that is due nothing waits for nothing.
    if lacks + one.received > 0 then answers[#answers + 1] = one.received end
  end
  threads[n] = ('{"startedUs":%.0f,"slots":[%s],"received":%d,"expected":%d,"losers":%d,"doubled":%d,"reordered":%d,"changed":%d,"failed":[%d,%d,0],"answers":[%s]}')
    :format(first_wall_us, table.concat(slots, ","), target.received, target.sent * MEMBERS, losers, target.doubled,
      target.reordered, target.changed, target.broken, target.late, table.concat(answers, ","))
end
local codes, bytes = {}, 0
for code, times_seen in pairs(closes) do codes[#codes + 1] = ('"%d":%d'):format(code, times_seen) end
for _, target in ipairs(targets) do bytes = bytes + target.bytes end
io.write(('levelfield {"durationUs":%.0f,"bytes":%.0f,"slotUs":%d,"threads":[%s],"errors":{"read":%d,"write":%d,"timeout":%d},'
  .. '"closes":{%s},"fault":%s,"begun":%d,"workedUs":%.0f,"times":[%s],"fromDue":[%s],"lateness":[%s]}\n'):format(
    max(1, RATE and max(ALL * 1e6 / RATE, last_us) or max(min(window_us, plan.durationUs), arrived_us)), bytes, SLOT_US,
    table.concat(threads, ","), errors.read, errors.write, errors.timeout, table.concat(codes, ","),
    fault and '"' .. fault .. '"' or "null", begun, worked_us, histogram.text(times), histogram.text(from_due),
    histogram.text(lateness)))
io.flush()
os.exit(0)
