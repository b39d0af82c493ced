export * from './crm-http-client';
