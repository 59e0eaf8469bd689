-- Take over a lock that its holder has handed on: of two who try with the same text, one wins.
--
-- KEYS  1 the lock
-- ARGV  1 not after: server time in microseconds, 0 if unknown · 2 token handed on · 3 new token
-- Returns {status, 0, left, now}
--   status  1 taken over · 2 was taken over by this new token already · 0 lost · -2 too late, nothing done
--   left    milliseconds that the key lives on
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local not_after = tonumber(ARGV[1])
if not_after > 0 and now > not_after then
  return {-2, 0, 0, now}
end
local stored = redis.pcall('GET', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if stored == ARGV[3] then
  return {2, 0, left, now}
end
if stored == ARGV[2] and left > 0 then
  redis.call('SET', KEYS[1], ARGV[3], 'PX', left)
  return {1, 0, left, now}
end
return {0, 0, left, now}
