import type { ConnectorChange, EventEnvelope, Step } from '@sluice/contracts';
import { unitKeyText, type AcceptPosition, type RecordRow } from '@sluice/ports';
import type { CrmLog, LandedWrite } from '../crm-log';
import { simVersions } from '../sim-config';
import type { SimNotes } from '../sim-notes';
import type { SimEvent } from '../sim-traffic';

/** A run that has come to rest. */
export interface Finished {
  /** What was sent first, by number from 1 on. */
  sent: readonly SimEvent[];
  replays: readonly SimEvent[];
  rows: readonly RecordRow[];
  crm: CrmLog;
  /** Ids of the records with an identity value: `<portal> <object type>/<value>` gives `<portal> <object type>/<id>`. */
  idsOf: ReadonlyMap<string, readonly string[]>;
  notes: SimNotes;
  changes: readonly { at: number; change: ConnectorChange }[];
  /** Where each unit stands in the log. */
  positions: ReadonlyMap<string, AcceptPosition>;
}

/** A finished run with what the judge looks up again and again. */
export interface Trial extends Finished {
  /** Accepted events and replays by their number. */
  byNumber: ReadonlyMap<number, SimEvent>;
  rowOf: ReadonlyMap<string, RecordRow>;
  /** Landed writes by record, in the order of landing. */
  byRecord: ReadonlyMap<string, readonly LandedWrite[]>;
}

/** `unitKeyText` of an envelope's unit. */
export const unitTextOf = ({ event_id: eventId, entity_index: entityIndex, run }: EventEnvelope): string =>
  unitKeyText({ eventId, entityIndex, run });

export function trialOf(run: Finished): Trial {
  const byRecord = new Map<string, LandedWrite[]>();
  for (const write of run.crm.writes) {
    const list = byRecord.get(write.record);
    if (list) list.push(write);
    else byRecord.set(write.record, [write]);
  }
  return {
    ...run, byRecord,
    byNumber: new Map([...run.sent, ...run.replays].map((event) => [event.payload.n, event])),
    rowOf: new Map(run.rows.map((row) => [unitKeyText(row.unit), row])),
  };
}

export const isReplay = ({ envelope }: SimEvent): boolean => envelope.kind === 'replay';

/** The record that an entity of an event is, by its identity value: `<portal> <object type>/<value>`. */
export function recordKeyOf(portal: string, { payload }: SimEvent, entity: unknown): string {
  return entity === 'customer' ? `${portal} contacts/${payload.customer.email}` : `${portal} deals/${payload.number}`;
}

/** The steps that an event runs under a version. */
export const stepsOf = ({ envelope }: SimEvent, version: number): readonly Step[] =>
  simVersions[version - 1]?.flows.find((flow) => flow.event_type === envelope.event_type)?.steps ?? [];
