-- Prolong a lock that is still the caller's; a key that is gone is never made anew.
--
-- KEYS  1 the lock
-- ARGV  1 not after: server time in microseconds, 0 if unknown · 2 token · 3 ttl in milliseconds from now
-- Returns {status, 0, 0, now}
--   status  1 renewed · 0 lost: gone, or somebody else's · -2 too late, nothing done
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local not_after = tonumber(ARGV[1])
if not_after > 0 and now > not_after then
  return {-2, 0, 0, now}
end
if redis.pcall('GET', KEYS[1]) == ARGV[2] then
  return {redis.call('PEXPIRE', KEYS[1], ARGV[3]), 0, 0, now}
end
return {0, 0, 0, now}
