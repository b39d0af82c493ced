import type { ConnectorChange, EventEnvelope, Step } from '@sluice/contracts';
import { unitKeyText, type AcceptPosition, type RecordRow, type StepTrace } from '@sluice/ports';
import type { CrmLog, LandedWrite } from '../crm-log';
import type { Crowd } from '../worlds/scenario';
import { simVersions } from '../worlds/sim-config';
import type { SimNotes } from '../sim-notes';
import type { SentRequest } from '../sim-destination';
import { ticketsOf } from '../worlds/sim-payload';
import type { SimEvent } from '../sim-traffic';
import type { ReplayJobNotes } from '../replays/replay-notes';
import type { CapNotes } from '../sync-caps';

/** A finished run. */
export interface Finished {
  /** The accepted events, by number from 1 on. */
  sent: readonly SimEvent[];
  replays: readonly SimEvent[];
  rows: readonly RecordRow[];
  crm: CrmLog;
  /** What the destination of the flows was told. */
  told: readonly SentRequest[];
  notes: SimNotes;
  changes: readonly { at: number; change: ConnectorChange }[];
  /** The position of each unit in the log. */
  positions: ReadonlyMap<string, AcceptPosition>;
  crowd: Crowd | null;
  caps: readonly CapNotes[];
  jobs: readonly ReplayJobNotes[];
  /** How many records of a job may be under way; null: there are no jobs. */
  replayWindow: number | null;
}

/** A finished run with indexes for the judge. */
export interface Trial extends Finished {
  /** Accepted events and replays by their number. */
  byNumber: ReadonlyMap<number, SimEvent>;
  /** The row of each unit; of a list the row of its first entry. */
  rowOf: ReadonlyMap<string, RecordRow>;
  /** All rows of each unit. */
  rowsOf: ReadonlyMap<string, readonly RecordRow[]>;
  /** Landed writes by record, in the order of landing. */
  byRecord: ReadonlyMap<string, readonly LandedWrite[]>;
}

/** The portals that an event may have been written to: those its connector was bound to from its acceptance to its end. */
export function portalsOf({ changes, notes }: Trial, { envelope }: SimEvent): string[] {
  const endedAt = notes.endedAt.get(unitTextOf(envelope))!;
  const isMeant = (at: number, change: ConnectorChange): boolean =>
    change.connector_id === envelope.connector_id && change.revision >= envelope.revision && at <= endedAt;
  return [...new Set(changes.filter(({ at, change }) => isMeant(at, change)).map(({ change }) => change.binding!.portal_id))];
}

/**
 * The portal to which the records of an outcome belong: the one that the connector was bound to when the outcome was stored. A
 * deleted connector has none: its outcomes tell of the portals that were written to.
 */
export function portalsOfEnd(trial: Trial, event: SimEvent): string[] {
  const { changes, notes, rowOf } = trial;
  const unit = unitTextOf(event.envelope);
  if (rowOf.get(unit)?.reason === 'connector_deleted') return portalsOf(trial, event);
  const epoch = notes.endedUnder.get(unit);
  const isIt = (change: ConnectorChange): boolean =>
    change.connector_id === event.envelope.connector_id && change.binding?.epoch === epoch;
  return [changes.find(({ change }) => isIt(change))!.change.binding!.portal_id];
}

/** All records that ever had the identity value of an entity of an event, in a portal. */
export const recordsOf = ({ crm }: Trial, portal: string, event: SimEvent, entity: unknown): readonly string[] =>
  crm.idsOf.get(recordKeyOf(portal, event, entity)) ?? [];

/** Which of the possible records a step reports as written: its identity, and the record itself. */
export function writtenRecord(
  trial: Trial, event: SimEvent, { id: entity, output }: StepTrace,
): { key: string; record: string } | undefined {
  const { crm_id: crmId } = output as { crm_id?: string };
  const found = portalsOfEnd(trial, event).flatMap((portal) => {
    const record = recordsOf(trial, portal, event, entity).find((one) => one.endsWith(`/${crmId}`));
    return record === undefined ? [] : [{ key: recordKeyOf(portal, event, entity), record }];
  });
  return found[0];
}

/** `unitKeyText` of an envelope's unit. */
export const unitTextOf = ({ event_id: eventId, entity_index: entityIndex, run }: EventEnvelope): string =>
  unitKeyText({ eventId, entityIndex, run });

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

export function trialOf(run: Finished): Trial {
  const byRecord = grouped(run.crm.writes, ({ record }) => record);
  const rowsOf = grouped(run.rows, ({ unit }) => unitKeyText(unit));
  return {
    ...run, byRecord, rowsOf,
    byNumber: new Map([...run.sent, ...run.replays].map((event) => [event.payload.n, event])),
    rowOf: new Map([...rowsOf].map(([unit, rows]) => [unit, rows[0]!])),
  };
}

export const isReplay = ({ envelope }: SimEvent): boolean => envelope.kind === 'replay';

/** Whether the order of two events is promised: they share a lane, or their connector's ordering was changed between them. */
export const areOrdered = ({ envelope: a }: SimEvent, { envelope: b }: SimEvent): boolean =>
  a.lane === b.lane || (a.connector_id === b.connector_id && (a.ordering_epoch ?? 0) !== (b.ordering_epoch ?? 0));

/** The record that an entity of an event is, by its identity value: `<portal> <object type>/<value>`. */
export function recordKeyOf(portal: string, { payload }: SimEvent, entity: unknown): string {
  return entity === 'customer' ? `${portal} contacts/${payload.customer.email}` : `${portal} deals/${payload.number}`;
}

/** @param objectType lists with a mark write memos under some versions */
export const ticketKeyOf = (portal: string, subject: string, objectType = 'tickets'): string =>
  `${portal} ${objectType}/${subject}`;

/** All records that an event names, as `recordKeyOf`. */
export function keysNamedBy(portal: string, event: SimEvent): string[] {
  const tickets = ticketsOf(event.payload);
  if (tickets.length > 0) {
    const types = event.envelope.event_type === 'tickets.marked' ? ['tickets', 'companies'] : ['tickets'];
    return tickets.flatMap(({ subject }) => types.map((type) => ticketKeyOf(portal, subject, type)));
  }
  return ['customer', 'order'].map((entity) => recordKeyOf(portal, event, entity));
}

/** The steps that an event runs under a version. */
export const stepsOf = ({ envelope }: SimEvent, version: number): readonly Step[] =>
  simVersions[version - 1]?.flows.find((flow) => flow.event_type === envelope.event_type)?.steps ?? [];
