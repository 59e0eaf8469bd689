-- Read a counter.
--
-- KEYS  1 the counter
-- ARGV  1 not after (unused: reading late harms nobody)
-- Returns {1, value, left, 0}: nobody needs the time from it
--   value   the count, as text; '0' without a key
--   left    milliseconds until the window ends, -1 never, -2 without a key
return {1, redis.call('GET', KEYS[1]) or '0', redis.call('PTTL', KEYS[1]), 0}
