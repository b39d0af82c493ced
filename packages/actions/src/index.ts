export * from './action-definition';
export * from './action-names';
export * from './catalogue';
export * from './check-step';
export * from './compile-fields';
export * from './define-action';
export * from './field-schema';
export * from './registry';
