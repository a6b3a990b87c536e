-- Runs another script with a guard around each array that it makes, and ends it where one is overrun.
--
-- wrk -s guarded.lua -H "script: PATH" [-H …] URL     as `wrk -s PATH [-H …] URL`; PATH is absolute
--
-- An array ends where a page begins that nobody may touch: reading or writing past its end is a fault of memory, which ends
-- the process. Pages before it are as closed, and the bytes between hold a pattern. If that has changed when the script waits for
-- sockets or exits, the process prints "guarded: …" and exits with 99. Arrays are pointers here, so `ffi.sizeof` of one is 8.
-- An array lives as long as the script holds what `ffi.new` returned, as without guards. Then the next array made or the next
-- wait closes it for a while, so its use after that is a fault, too. The system checks no bounds of its own calls, so these
-- touch the last byte first.
local ffi = require("ffi")
ffi.cdef([[
  void *mmap(void *, unsigned long, int, int, int, long);
  int mprotect(void *, unsigned long, int);
  int getpagesize(void);
  int memcmp(const void *, const void *, unsigned long);
]])
local C, new, exit = ffi.C, ffi.new, os.exit
local NONE, READ_WRITE, PRIVATE = 0, 3, ffi.os == "OSX" and 0x1002 or 0x22
local PAGE, bytes_of = C.getpagesize(), ffi.typeof("unsigned char *")
local CHANGED, CLOSED = 99, 512
local pattern = new("unsigned char[?]", PAGE)
ffi.fill(pattern, PAGE, 0xa5)

-- Arrays that live, by a number; numbers of those that the script no longer holds; areas that are closed, the oldest first;
-- areas for new arrays, by their pages.
local arrays, last, let_go, closed, free, made = {}, 0, {}, {}, {}, 0

-- Closes what the script no longer holds. The collector only notes it: it may run at any line here, so if it closed arrays
-- itself, it could close the one that `check` is reading.
local function close()
  while #let_go > 0 do
    local number = table.remove(let_go)
    local one = arrays[number]
    arrays[number] = nil
    C.mprotect(one.area + PAGE, one.pages * PAGE, NONE)
    closed[#closed + 1] = one
    if #closed > CLOSED then
      one = table.remove(closed, 1)
      table.insert(free[one.pages], one.area)
    end
  end
end

local function check()
  close()
  for _, one in pairs(arrays) do
    if C.memcmp(one.area + PAGE, pattern, one.before) ~= 0 then
      io.stderr:write("guarded: bytes before an array ", one.name, " of ", one.size, " bytes have changed\n")
      io.stderr:flush()
      exit(CHANGED)
    end
  end
end

-- Returns pages between two closed ones, all of the pattern where no array will be.
local function area_of(pages)
  free[pages] = free[pages] or {}
  local area = table.remove(free[pages])
  if not area then
    area = C.mmap(nil, (pages + 2) * PAGE, NONE, PRIVATE, -1, 0)
    if ffi.cast("intptr_t", area) == -1 then error("guarded: there is no memory for an array") end
    area = ffi.cast(bytes_of, area)
  end
  C.mprotect(area + PAGE, pages * PAGE, READ_WRITE)
  return area
end

function ffi.new(kind, ...)
  local element = type(kind) == "string" and kind:match("^(.-) *%[[^%[]*%]$")
  local array = new(kind, ...)
  if not element then return array end
  made = made + 1
  if made % 1024 == 0 then collectgarbage() end
  close()
  local size = ffi.sizeof(array)
  local pages = math.max(1, math.ceil(size / PAGE))
  local one = { name = kind, size = size, pages = pages, before = pages * PAGE - size, area = area_of(pages) }
  ffi.copy(one.area + PAGE, pattern, one.before)
  ffi.copy(one.area + PAGE + one.before, array, size)
  last = last + 1
  arrays[last] = one
  local number = last
  return ffi.gc(ffi.cast(element .. " *", one.area + PAGE + one.before), function() let_go[#let_go + 1] = number end)
end

local touched = new("unsigned char[1]")
local function whole(call)
  return function(of, bytes, length, ...)
    if length > 0 then touched[0] = ffi.cast("const unsigned char *", bytes)[length - 1] end
    return call(of, bytes, length, ...)
  end
end
local function checked(call)
  return function(...)
    check()
    return call(...)
  end
end
local KINDS = {
  poll = checked, epoll_wait = checked,
  recv = whole, send = whole, read = whole, write = whole, SSL_read = whole, SSL_write = whole,
}
ffi.C = setmetatable({}, { __index = function(calls, name)
  local call = C[name]
  calls[name] = KINDS[name] and KINDS[name](call) or call
  return calls[name]
end })
function os.exit(...)
  check()
  exit(...)
end

local script = wrk.headers["script"]
wrk.headers["script"] = nil
dofile(script)
check()
