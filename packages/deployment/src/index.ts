export * from './deployed-service';
export * from './held-by';
export * from './owner-of-path';
export * from './services';
export * from './tables-of';
