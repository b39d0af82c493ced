/** Routes of the event plane, served by ingest-api. */
export * from './events';
export * from './verify';
