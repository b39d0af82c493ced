export * from './blob-store';
export * from './config-reader';
export * from './crm-client';
export * from './crm-records';
export * from './event-bus';
export * from './key-value';
export * from './run-store';
