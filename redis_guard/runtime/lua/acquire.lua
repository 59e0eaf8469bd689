-- Take a lock, idempotently: the same token twice is one acquisition.
--
-- KEYS  1 the lock · 2 (only with fencing) the last fence handed out
-- ARGV  1 not after: server time in microseconds from when on the caller is gone, 0 if unknown
--       2 token · 3 ttl in milliseconds · 4 (only with fencing) life of the fence key in milliseconds
-- Returns {status, fence, left, now}
--   status  1 taken now · 2 was mine already · 0 somebody else's · -2 too late, nothing done
--   fence   the fence of this token, 0 without fencing
--   left    milliseconds that the key lives on, -1 for ever
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local not_after = tonumber(ARGV[1])
if not_after > 0 and now > not_after then
  return {-2, 0, 0, now}
end
local previous = 0
if KEYS[2] then
  -- Read before anything is written: a fence key of another type must leave no lock behind.
  local stored = redis.call('GET', KEYS[2]) or '0'
  -- To tonumber(), 'nan', '1.5' and '-3' are numbers as well.
  previous = stored:match('^%d+$') and tonumber(stored)
  if not previous or previous >= 2 ^ 53 then
    return redis.error_reply('WRONGTYPE the fence key does not hold a fence')
  end
end
if redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3]) then
  local fence = 0
  if KEYS[2] then
    fence = math.max(previous + 1, now)
    -- As a number: tostring() would keep 14 digits of it.
    redis.call('SET', KEYS[2], fence, 'PX', ARGV[4])
  end
  return {1, fence, tonumber(ARGV[3]), now}
end
local left = redis.call('PTTL', KEYS[1])
if redis.call('GET', KEYS[1]) == ARGV[2] then
  if left > 0 then
    -- Changes nothing, but is a write: WAIT counts the replicas that have what its own connection has written.
    redis.call('PEXPIRE', KEYS[1], left)
  end
  if KEYS[2] and previous == 0 then
    -- The fence key is gone meanwhile; the next fence is higher all the same.
    previous = now
    redis.call('SET', KEYS[2], previous, 'PX', ARGV[4])
  end
  return {2, previous, left, now}
end
return {0, 0, left, now}
