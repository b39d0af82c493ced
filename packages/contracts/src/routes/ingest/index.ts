/** Routes of the event plane, served by ingest-api. */
export * from './compat';
export * from './events';
export * from './verify';
export * from './webhooks';
