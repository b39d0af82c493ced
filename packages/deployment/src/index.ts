export * from './deployed-service';
export * from './owner-of-path';
export * from './services';
