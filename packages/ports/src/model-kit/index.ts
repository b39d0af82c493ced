/** Code shared by the model adapters. Services use the port, never this. */
export * from './model-answer';
export * from './watched-fetch';
