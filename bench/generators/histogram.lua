-- Histograms of microseconds, raw: one count for each whole microsecond. Counting allocates nothing below a second.
local ffi = require("ffi")
local floor, max = math.floor, math.max
local histogram = {}

-- A table has times beyond the array.
local WIDTH = 1048576

function histogram.new() return { counts = ffi.new("uint32_t[?]", WIDTH), beyond = {}, most = 0 } end

-- Counts a time; below 0 as 0.
function histogram.count(held, us)
  local at = max(0, floor(us))
  if at < WIDTH then
    held.counts[at] = held.counts[at] + 1
    held.most = max(held.most, at)
  else
    held.beyond[at] = (held.beyond[at] or 0) + 1
  end
end

function histogram.clear(held)
  ffi.fill(held.counts, 4 * (held.most + 1))
  held.beyond, held.most = {}, 0
end

-- Returns pairs of a time and its count as JSON without the outer brackets, the least time first.
function histogram.text(held)
  local pairs_of, beyond = {}, {}
  for at = 0, held.most do
    if held.counts[at] > 0 then pairs_of[#pairs_of + 1] = ("[%d,%d]"):format(at, held.counts[at]) end
  end
  for at in pairs(held.beyond) do beyond[#beyond + 1] = at end
  table.sort(beyond)
  for _, at in ipairs(beyond) do pairs_of[#pairs_of + 1] = ("[%d,%d]"):format(at, held.beyond[at]) end
  return table.concat(pairs_of, ",")
end

return histogram
