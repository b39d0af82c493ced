export { createKafkaBus } from './create-kafka-bus';
export type { KafkaBusOptions } from './client/kafka-bus-options';
