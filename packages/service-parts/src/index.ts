export * from './limit-store';
export * from './open-parts';
export * from './parts-settings';
export * from './service-instances';
