export { createMemoryKeyValue, type MemoryKeyValueOptions } from './create-memory-key-value';
