export * from './deployed-service';
export * from './held-by';
export * from './owner-of-path';
export * from './services';
