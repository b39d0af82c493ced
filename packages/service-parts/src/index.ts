export * from './announcement';
export * from './limit-store';
export * from './open-parts';
export * from './parts-settings';
export * from './product-service';
export * from './supervise-reading';
export * from './process-counts';
export * from './webhook-keyring';
