export * from './refused-configs';
export * from './shop-config';
