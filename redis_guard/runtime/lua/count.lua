-- Count, and start the window with the first count, in one step. A key that older code left without a lifetime is healed.
--
-- KEYS  1 the counter
-- ARGV  1 not after: server time in microseconds, 0 if unknown · 2 step · 3 window in milliseconds, 0 for none
-- Returns {status, value, left, now}
--   status  1 counted · 2 counted, and the key had no lifetime before · -2 too late, nothing done
--   value   the count, this step included; as text from 2^53 on
--   left    milliseconds until the window ends, -1 never
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local not_after = tonumber(ARGV[1])
if not_after > 0 and now > not_after then
  return {-2, 0, 0, now}
end
local value = redis.call('INCRBY', KEYS[1], ARGV[2])
local first = value == tonumber(ARGV[2])
if value >= 9007199254740992 then
  -- Lua's numbers round from 2^53 on; the text does not.
  value = redis.call('GET', KEYS[1])
end
local window = tonumber(ARGV[3])
if window == 0 then
  return {1, value, -1, now}
end
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then
  return {1, value, left, now}
end
redis.call('PEXPIRE', KEYS[1], window)
return {first and 1 or 2, value, window, now}
