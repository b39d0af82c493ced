/** Routes of the config plane, served by config-api. */
export * from './audit';
export * from './auth';
export * from './billing';
export * from './compat-keys';
export * from './connectors';
export * from './credentials';
export * from './draft-entities';
export * from './draft-flows';
export * from './drafts';
export * from './operator';
export * from './org-api-keys';
export * from './portal-reads';
export * from './provisioning';
export * from './previews';
export * from './publishing';
export * from './versions';
export * from './templates';
