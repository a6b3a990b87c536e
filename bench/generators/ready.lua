-- Tells which of many sockets have something to read or can be written to: by epoll, whose cost does not grow with idle
-- sockets, and by poll on systems without it.
local ffi = require("ffi")
local loopback = require("loopback")
local C, POLLIN, POLLOUT = ffi.C, loopback.POLLIN, loopback.POLLOUT

local MOST = 8192
local ready = {}

if ffi.os == "Linux" then
  local layout = "typedef struct { unsigned events; int place, zero; } %s ready_t;"
  ffi.cdef(ffi.arch == "x64" and layout:format("__attribute__((packed))")
    or "typedef struct { unsigned events; int pad, place, zero; } ready_t;")
  ffi.cdef([[
    int epoll_create1(int);
    int epoll_ctl(int, int, int, ready_t *);
    int epoll_wait(int, ready_t *, int, int);
  ]])
  local ADD, DELETE, CHANGE = 1, 2, 3
  local all, found, one = C.epoll_create1(0), ffi.new("ready_t[?]", MOST), ffi.new("ready_t")
  local function control(what, fd, place, events)
    one.events, one.place = events, place
    return C.epoll_ctl(all, what, fd, one) == 0
  end
  -- Watches a socket for something to read, under a number. Returns false if there are too many.
  function ready.add(fd, place) return control(ADD, fd, place, POLLIN) end
  -- Watches it for room to write, too, or no longer.
  function ready.writes(fd, place, writes) control(CHANGE, fd, place, POLLIN + (writes and POLLOUT or 0)) end
  -- Watches it for room to write alone.
  function ready.only_writes(fd, place) control(CHANGE, fd, place, POLLOUT) end
  function ready.drop(fd, place) control(DELETE, fd, place, 0) end
  -- Waits for at most some milliseconds. Returns how many sockets are ready.
  function ready.wait(ms) return C.epoll_wait(all, found, MOST, ms) end
  -- Returns the number of the n-th of them, from 0.
  function ready.place(n) return found[n].place end
else
  local polled, most, places = ffi.new("pollfd_t[?]", MOST), 0, ffi.new("int[?]", MOST)
  for place = 0, MOST - 1 do polled[place].fd = -1 end
  function ready.add(fd, place)
    if place >= MOST then return false end
    polled[place].fd, polled[place].events = fd, POLLIN
    most = math.max(most, place + 1)
    return true
  end
  function ready.writes(_, place, writes) polled[place].events = POLLIN + (writes and POLLOUT or 0) end
  function ready.only_writes(_, place) polled[place].events = POLLOUT end
  function ready.drop(_, place) polled[place].fd = -1 end
  function ready.wait(ms)
    local count = 0
    if C.poll(polled, most, ms) <= 0 then return 0 end
    for place = 0, most - 1 do
      if polled[place].fd >= 0 and polled[place].revents ~= 0 then
        places[count] = place
        count = count + 1
      end
    end
    return count
  end
  function ready.place(n) return places[n] end
end

return ready
