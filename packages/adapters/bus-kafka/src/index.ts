export { createKafkaBus } from './create-kafka-bus';
export type { KafkaBusOptions } from './kafka-bus-options';
