export * from './crm-records';
