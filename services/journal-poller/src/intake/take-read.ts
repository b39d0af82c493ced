import { randomUUID } from 'node:crypto';
import type { ConnectorChange, SourceType } from '@sluice/contracts';
import type { EventIds, Intake, IntakeEvent, IntakeRefusal, IntakeRule } from '@sluice/event-intake';
import type { WallClock } from '@sluice/ports';
import { type SourceEvent, SourceReadError } from '@sluice/sources';

/** Events that were read from a source, to be put into the log. */
export interface ReadBatch {
  connector: ConnectorChange;
  source: { name: string; type: SourceType };
  rule: IntakeRule;
  events: readonly SourceEvent[];
  /** Each record is ordered on its own, also where the organization has no ordering per record. */
  perRecord?: boolean;
}

/** The connector takes nothing in now: it was paused, or its organization stopped, while it was read. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}

/**
 * Puts events into the log, all of them or none, under ids that are the same when they are read again. Rejects with
 * SourceReadError while the log cannot be reached, with ReadingStopped when the connector was stopped.
 */
export type TakeRead = (batch: ReadBatch) => Promise<void>;

export interface TakeReadDeps {
  intake: Pick<Intake, 'admit' | 'take'>;
  ids: EventIds;
  now: WallClock;
}

export function createTakeRead({ intake, ids, now }: TakeReadDeps): TakeRead {
  return async ({ connector, source, rule, events, perRecord = false }) => {
    if (events.length === 0) return;
    const assertTaken = (refusal: IntakeRefusal | null): void => {
      if (refusal !== null) throw refusalError(refusal);
    };
    assertTaken(await intake.admit(connector, rule));
    const [acceptedAt, requestId] = [now(), randomUUID()];
    const planned = events.map((event): IntakeEvent => {
      const { dedupe, eventType, externalId, payload, recordKey, timestamp } = event;
      const { id: eventId, aliases } = dedupe === null
        ? { id: ids.create(connector.connector_id, acceptedAt), aliases: [] }
        : ids.derive(connector.connector_id, `source:${source.name}`, dedupe, acceptedAt);
      const records = [{ eventType, externalId, entityType: perRecord ? source.name : null, recordKey, payload }];
      return { eventId, aliases, acceptedAt, requestId, timestamp, storeId: null, records };
    });
    assertTaken(await intake.take({
      connector, rule, origin: { source, run: 'first', kind: 'live' }, trace: {}, events: planned,
    }));
  };
}

function refusalError(refusal: IntakeRefusal): Error {
  if (refusal.why === 'stopped') return new ReadingStopped('the connector was stopped');
  return new SourceReadError('events cannot be queued at the moment; it is read again');
}
