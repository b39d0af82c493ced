export * from './config-document';
export * from './connector-change';
export * from './event-envelope';
export * from './lane';
export * from './route';
export * from './topics';
export * as configRoutes from './routes/config';
