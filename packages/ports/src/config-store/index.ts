export * from './account-store';
export * from './config-store';
export * from './connector-store';
export * from './credential-store';
export * from './draft-store';
export * from './organization-store';
export * from './outbox-store';
export * from './page';
