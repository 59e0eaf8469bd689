-- End the window of a counter.
--
-- KEYS  1 the counter
-- ARGV  1 not after: server time in microseconds, 0 if unknown
-- Returns {status, 0, 0, now}
--   status  1 reset · 0 there was nothing to reset · -2 too late, nothing done
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local not_after = tonumber(ARGV[1])
if not_after > 0 and now > not_after then
  return {-2, 0, 0, now}
end
-- A key of another type is somebody else's: an error, and nothing is deleted.
redis.call('GET', KEYS[1])
return {redis.call('DEL', KEYS[1]), 0, 0, now}
