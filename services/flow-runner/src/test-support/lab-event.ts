import { connectorLane, type ConnectorChange, entityLane, type EventEnvelope } from '@sluice/contracts';

export const labConnector = '11111111-1111-4111-8111-111111111111';

export interface LabEvent {
  id: string;
  type: string;
  /** Default: `labConnector`. */
  connector?: string;
  payload: Record<string, unknown>;
  /** `[entity type, external id]`: an `entities` entry. */
  record?: [string, string];
  kind?: EventEnvelope['kind'];
  /** Where the payload lies that is too large for the envelope. */
  payloadRef?: EventEnvelope['payload_ref'];
  run?: string;
  acceptedAt?: string;
  /** Of a replay: when it was asked for, and whether it is forced. */
  replayedAt?: string;
  forced?: true;
  aliases?: string[];
  /** The row of an import that it stands for. */
  importRow?: EventEnvelope['import_row'];
  /** The connector's now; another one: of an acceptor that knows an older state. */
  orderingEpoch?: number;
  /** The width by which it is placed. Default: 1. */
  width?: number;
}

export const laneOf = ({ connector = labConnector, record }: LabEvent): string =>
  record ? entityLane(connector, ...record) : connectorLane(connector);

/** The event as an acceptor that knows this state of the connector puts it into the log. */
export const envelopeOf = (event: LabEvent, state: ConnectorChange): EventEnvelope => ({
  v: 1,
  event_id: event.id,
  entity_index: 0,
  entities_total: 1,
  organization_id: state.organization_id,
  connector_id: event.connector ?? labConnector,
  revision: state.revision,
  source_name: 'event_api',
  source_type: 'event_api',
  event_type: event.type,
  external_id: event.record?.[1] ?? null,
  timestamp: event.acceptedAt ?? new Date().toISOString(),
  store_id: null,
  accepted_at: event.acceptedAt ?? new Date().toISOString(),
  lane: laneOf(event),
  run: event.run ?? 'first',
  kind: event.kind ?? 'live',
  payload: event.payload,
  request_id: `req-${event.id}`,
  ...(event.aliases ? { aliases: event.aliases } : {}),
  ...(event.replayedAt ? { replayed_at: event.replayedAt } : {}),
  ...(event.forced ? { forced: true } : {}),
  ...(event.importRow ? { import_row: event.importRow } : {}),
  ...(event.payloadRef ? { payload: undefined, payload_ref: event.payloadRef } : {}),
  ordering_epoch: event.orderingEpoch ?? state.ordering_epoch ?? 0,
  ...(event.width === undefined ? {} : { width: event.width }),
});
