import type { EventEnvelope } from '@sluice/contracts';
import { unitOf, type Unit } from '../units/unit';

/** An envelope of connector `c`, on the lane of the whole connector. */
export const testEnvelope = (more: Partial<EventEnvelope> = {}): EventEnvelope => ({
  v: 1,
  event_id: 'evt_1',
  entity_index: 0,
  entities_total: 1,
  organization_id: 'o',
  connector_id: 'c',
  revision: 1,
  source_name: 'event_api',
  source_type: 'event_api',
  event_type: 'order.placed',
  external_id: null,
  timestamp: '2026-01-01T00:00:00Z',
  store_id: null,
  accepted_at: '2026-01-01T00:00:00.000Z',
  lane: 'c',
  run: 'first',
  kind: 'live',
  payload: {},
  request_id: 'r',
  ...more,
});

export const testUnit = (more: Partial<EventEnvelope> = {}, offset = 7n): Unit =>
  unitOf(testEnvelope(more), { topic: 'events.inbound', partition: 3, epoch: 2n }, offset, null);
