-- A server whose replies wait for a known time, to hold a load generator's figures against. Run by wrk's LuaJIT; it polls
-- its core, so that a delay ends when it is to end. A request is all that arrives at once.
--
-- wrk -s known-delays.lua -H "delays: hold=100:5000" URL       every 100th reply is held for 5000 microseconds
-- wrk -s known-delays.lua -H "delays: stop=1000000:50000" URL  in each second it does nothing for 50000 microseconds
-- wrk -s known-delays.lua -H "delays: serve=500" URL           one request at a time, each takes 500 microseconds
-- wrk -s known-delays.lua -H "delays: none" URL                replies at once
local folder = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
package.path = folder .. "../../bench/generators/?.lua;" .. package.path
local ffi = require("ffi")
local loopback = require("loopback")
local C, POLLIN, AT_ONCE, MONOTONIC = ffi.C, loopback.POLLIN, loopback.AT_ONCE, loopback.MONOTONIC

loopback.name = "known delays"
local delays = wrk.headers.delays
local EACH, HOLD_US = delays:match("hold=(%d+):(%d+)")
local PERIOD_US, STOP_US = delays:match("stop=(%d+):(%d+)")
local EACH, HOLD_US = tonumber(EACH or 0), tonumber(HOLD_US or 0)
local PERIOD_US, STOP_US = tonumber(PERIOD_US or 1), tonumber(STOP_US or 0)
local SERVE_US = tonumber(delays:match("serve=(%d+)") or 0)

local REPLY = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"
local MOST = 2048
local polled, count = ffi.new("pollfd_t[?]", MOST), 1
polled[0].fd, polled[0].events = loopback.listen(), POLLIN
ffi.cdef("int memcmp(const void *, const void *, unsigned long);")
local buffer = ffi.new("char[65536]")

-- Requests that wait, in order: their connections, and when each is answered at the earliest.
local fds, ready_us, first, last = ffi.new("int[?]", MOST), ffi.new("double[?]", MOST), 0, 0
local function wait(fd, us)
  fds[last % MOST], ready_us[last % MOST] = fd, us
  last = last + 1
end

-- GET /halted is answered with the microseconds in which its core was somebody else's: steps without work that took more
-- than any does.
local halted_us, HALT_US = 0, 50
local function halted_reply()
  local text = ("%.0f"):format(halted_us)
  return "HTTP/1.1 200 OK\r\ncontent-length: " .. #text .. "\r\n\r\n" .. text
end

local received, free_us = 0, 0
local function receive(n, now)
  local fd = polled[n].fd
  local got = tonumber(C.recv(fd, buffer, 65536, AT_ONCE))
  if got <= 0 then
    if got < 0 and ffi.errno() == loopback.AGAIN then return end
    C.close(fd)
    count = count - 1
    polled[n].fd, polled[n].events, polled[n].revents = polled[count].fd, POLLIN, polled[count].revents
    return
  end
  if got > 11 and C.memcmp(buffer, "GET /halted", 11) == 0 then
    local reply = halted_reply()
    C.send(fd, reply, #reply, AT_ONCE)
    return
  end
  received = received + 1
  if SERVE_US > 0 then
    free_us = math.max(free_us, now) + SERVE_US
    wait(fd, free_us)
  elseif EACH > 0 and received % EACH == 0 then
    wait(fd, now + HOLD_US)
  else
    C.send(fd, REPLY, #REPLY, AT_ONCE)
  end
end

local start_us, before, worked = loopback.clock_us(MONOTONIC), 0, true
while true do
  local now = loopback.clock_us(MONOTONIC) - start_us
  if not worked then halted_us = halted_us + math.max(0, now - before - HALT_US) end
  before, worked = now, false
  if now % PERIOD_US >= STOP_US then
    while first < last and ready_us[first % MOST] <= now do
      C.send(fds[first % MOST], REPLY, #REPLY, AT_ONCE)
      first, worked = first + 1, true
    end
    if C.poll(polled, count, 0) > 0 then
      worked = true
      for n = count - 1, 1, -1 do
        if polled[n].revents ~= 0 then receive(n, now) end
      end
      if polled[0].revents ~= 0 and count < MOST then
        local fd = C.accept(polled[0].fd, nil, nil)
        if fd >= 0 then
          loopback.at_once(fd)
          polled[count].fd, polled[count].events, polled[count].revents = fd, POLLIN, 0
          count = count + 1
        end
      end
    end
  end
end
