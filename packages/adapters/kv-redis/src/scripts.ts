/**
 * What must happen in one piece, as Lua. All take the server's clock: processes' clocks differ.
 * Numbers with a fraction go back as text, because Redis cuts them off.
 */
export const scripts = {
  /** key; by, ttlMs -> sum. The time to live starts with the first increment. */
  sluiceIncrement: {
    numberOfKeys: 1,
    lua: `
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return sum`,
  },
  /** key; by, limit, ttlMs -> added (0 or 1), value */
  sluiceIncrementWithin: {
    numberOfKeys: 1,
    lua: `
local value = tonumber(redis.call('GET', KEYS[1]) or '0')
if value + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return {0, value} end
value = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return {1, value}`,
  },
  /**
   * key; limit, windowMs, cost, unique -> allowed (0 or 1), remaining, resetMs. A sorted set by time; members end in their cost.
   */
  sluiceSlideWindow: {
    numberOfKeys: 1,
    lua: `
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local used = 0
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do used = used + tonumber(string.match(member, '[%d.]+$')) end
local allowed = 0
if used + cost <= limit then
  allowed = 1
  used = used + cost
  redis.call('ZADD', KEYS[1], now, ARGV[4] .. ':' .. ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local reset = 0
if oldest[2] then reset = oldest[2] + window - now end
return {allowed, tostring(math.max(0, limit - used)), reset}`,
  },
  /** key; capacity, refillPerSecond, want, min, leave -> granted, waitMs */
  sluiceTakeTokens: {
    numberOfKeys: 1,
    lua: `
local capacity, rate, want, min = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local leave = tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = capacity
if bucket[1] then tokens = math.min(capacity, bucket[1] + math.max(0, now - bucket[2]) / 1000 * rate) end
local granted = math.min(want, math.floor(tokens - leave))
if granted < min then granted = 0 end
local wait = 0
if granted == 0 then wait = math.ceil(math.max(0, min + leave - tokens) / rate * 1000) end
tokens = tokens - granted
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], math.min(9007199254740991, math.ceil((capacity - tokens) / rate * 1000) + 1000))
return {granted, wait}`,
  },
  /** key; capacity, refillPerSecond, remaining */
  sluiceCapTokens: {
    numberOfKeys: 1,
    lua: `
local capacity, rate, remaining = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = capacity
if bucket[1] then tokens = math.min(capacity, bucket[1] + math.max(0, now - bucket[2]) / 1000 * rate) end
tokens = math.min(tokens, remaining)
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], math.min(9007199254740991, math.ceil((capacity - tokens) / rate * 1000) + 1000))`,
  },
} as const;
