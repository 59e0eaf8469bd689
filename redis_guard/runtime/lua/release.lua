-- Give a lock back, if it is still the caller's, and wake who waits. Uses nothing that is refused when memory is full.
--
-- KEYS  1 the lock
-- ARGV  1 not after (unused: the token makes a late release harmless) · 2 token · 3 channel to wake, '' for none
-- Returns {status, 0, 0, now}
--   status  1 released · 0 somebody else's · -1 there is no such key
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
-- A key that has become something else is not ours either.
local stored = redis.pcall('GET', KEYS[1])
if not stored then
  return {-1, 0, 0, now}
end
if stored ~= ARGV[2] then
  return {0, 0, 0, now}
end
redis.call('DEL', KEYS[1])
if ARGV[3] ~= '' then
  -- The lock is free whether or not this user may publish.
  redis.pcall('PUBLISH', ARGV[3], '')
end
return {1, 0, 0, now}
