export * from './declaration';
export * from './define-settings';
export * from './given-text';
export * from './groups';
export { parseSettings, type Environment } from './parse-settings';
export * from './redacted-summary';
export * from './settings-error';
export * from './settings-markdown';
export * from './weak-secrets';
