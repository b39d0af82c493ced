export type { BusLab } from './bus-lab';
export { eventBusConformance } from './event-bus-conformance';
export * from './memory-bus';
export { until } from './until';
export * from './crm-records-twin';
