export { createEmbeddedBus, type EmbeddedBusOptions } from './create-embedded-bus';
