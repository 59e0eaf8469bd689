-- Claim something once. The same claimant twice is one claim.
--
-- KEYS  1 the claim
-- ARGV  1 not after: server time in microseconds, 0 if unknown · 2 claimant · 3 ttl in milliseconds, 0 for none
-- Returns {status, holder, left, now}
--   status  1 claimed now · 2 was this claimant's already · 0 somebody else's · -2 too late, nothing done
--   holder  who has it, '' unless somebody else
--   left    milliseconds that the claim lives on, -1 for ever
--   now     server time in microseconds
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local not_after = tonumber(ARGV[1])
if not_after > 0 and now > not_after then
  return {-2, '', 0, now}
end
local ttl = tonumber(ARGV[3])
local claimed
if ttl > 0 then
  claimed = redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ttl)
else
  claimed = redis.call('SET', KEYS[1], ARGV[2], 'NX')
end
if claimed then
  return {1, '', ttl > 0 and ttl or -1, now}
end
local left = redis.call('PTTL', KEYS[1])
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[2] then
  return {2, '', left, now}
end
return {0, holder, left, now}
