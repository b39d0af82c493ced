import { RateGate, type RateGateOptions } from './rate-gate';

/** Of each invocation so many bytes are free: handling them costs about what every other part of an event costs. */
const freeBytes = 32 * 1024;
const patience = { aheadMs: 1_000, longestMs: Infinity };

/**
 * Bounds what the functions of one organization cost the event loop of the service, which all organizations share: to read and to
 * parse an answer of 1 MiB takes 16 ms of processor time, as long as sixty events.
 */
export class TrafficGate extends RateGate {
  /** @param options `perSecond`: bytes that are exchanged with the service */
  constructor(options: RateGateOptions) {
    super(options, patience);
  }

  /** An invocation has moved so many bytes in all. */
  moved(organizationId: string, bytes: number): void {
    this.used(organizationId, bytes - freeBytes);
  }
}
