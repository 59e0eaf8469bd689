-- Give a lock back, if it is still the caller's, and wake who waits. Uses nothing that is refused when memory is full.
--
-- KEYS  1 the lock
-- ARGV  1 not after (unused: the token makes a late release harmless) · 2 token · 3 channel to wake, '' for none
-- Returns {status, 0, 0, 0}: it is called once for every lock, and nobody needs the time from it
--   status  1 released · 0 somebody else's · -1 there is no such key
-- A key that has become something else is not ours either.
local stored = redis.pcall('GET', KEYS[1])
if not stored then
  return {-1, 0, 0, 0}
end
if stored ~= ARGV[2] then
  return {0, 0, 0, 0}
end
redis.call('DEL', KEYS[1])
if ARGV[3] ~= '' then
  -- The lock is free whether or not this user may publish.
  redis.pcall('PUBLISH', ARGV[3], '')
end
return {1, 0, 0, 0}
