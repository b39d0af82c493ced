export * from './breaker-rules';
export * from './breaker-store';
export * from './flow-breaker';
