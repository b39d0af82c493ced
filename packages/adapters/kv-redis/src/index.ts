export { createRedisKeyValue, type RedisKeyValueOptions } from './create-redis-key-value';
