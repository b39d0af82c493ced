export * from './manifest';
export * from './package-files';
