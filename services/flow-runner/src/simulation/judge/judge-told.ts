import { lanePartition } from '@sluice/contracts';
import type { SentRequest } from '../sim-destination';
import { simPartitions, type SimEvent } from '../sim-traffic';
import { portalsOf, recordsOf, type Trial } from './trial';

const entities: Readonly<Record<string, string>> = { 'customer.told': 'customer', 'order.told': 'order' };
const telling = ['ring', 'tell', 'greet'];

/** Whether a step of the simulated flows tells the destination something. */
export const isTelling = ({ id }: { id: string }): boolean => telling.includes(id);

/** How long an attempt may go on after its connector got another portal, which its runner has not heard of. */
const heardWithinMs = 8_000;

interface Told {
  id: string | null;
  isNew: boolean;
}

/**
 * What flows told: each attempt says the same under one Idempotency-Key, whether its event made the record is true, and a
 * receiver of `notify` is told once. Not where nobody could know it: the process died or lost its partition in between, the
 * record was deleted, or the connector got another portal.
 */
export function judgeTold(trial: Trial): void {
  if (trial.notes.restores.length > 0) return;
  const byKey = new Map<string, SentRequest[]>();
  for (const request of trial.told) {
    const key = `${request.path} ${request.key}`;
    byKey.set(key, [...(byKey.get(key) ?? []), request]);
  }
  for (const requests of byKey.values()) {
    const event = trial.byNumber.get(requests[0]!.n)!;
    requests.forEach((request, index) => {
      const before = requests[index - 1];
      if (before && isCalm(trial, event, before.at - heardWithinMs, request.at)) judgeRepeat(before, request);
      if (request.path !== '/ring') judgeIsNew(trial, event, request);
    });
  }
}

function judgeRepeat(before: SentRequest, { at, path, n, body }: SentRequest): void {
  if (path === '/ring') throw new Error(`told: ${n} rang at ${before.at} and again at ${at}`);
  if (before.body !== body) throw new Error(`told: ${n} sent ${before.body} and then ${body} under one key`);
}

/** Whether the process that runs an event knows all that it did between two times. */
function isCalm({ notes, changes, crm, ...trial }: Trial, event: SimEvent, from: number, to: number): boolean {
  const { connector_id: id } = event.envelope;
  const partition = lanePartition(id, '', 1, simPartitions);
  const between = ({ at }: { at: number }): boolean => at >= from && at <= to;
  const records = portalsOf({ notes, changes, crm, ...trial }, event).flatMap((portal) =>
    recordsOf({ notes, changes, crm, ...trial }, portal, event, entities[event.envelope.event_type]));
  return !notes.moves.some((move) => move.partition === partition && between(move))
    && !wasRebound({ changes }, event, from, to)
    && !records.some((record) => between({ at: crm.deleted.get(record) ?? Infinity }));
}

function wasRebound({ changes }: Pick<Trial, 'changes'>, { envelope }: SimEvent, from: number, to: number): boolean {
  const own = changes.filter(({ change }) => change.connector_id === envelope.connector_id);
  return own.some(({ at, change }, index) => {
    const before = own[index - 1]?.change.binding?.epoch;
    return at >= from && at <= to && before !== undefined && before !== change.binding?.epoch;
  });
}

/**
 * Whether the event made the record that it tells of, as it says. Where its connector was bound to another portal and back since
 * the record was made, nothing tells its own lost write from its creation (ADR 0110).
 */
function judgeIsNew(trial: Trial, event: SimEvent, { at, n, body }: SentRequest): void {
  const { id, isNew } = JSON.parse(body) as Told;
  const entity = entities[event.envelope.event_type];
  const records = portalsOf(trial, event).flatMap((portal) => recordsOf(trial, portal, event, entity));
  const named = records.filter((record) => record.endsWith(`/${id}`)
    && trial.byRecord.get(record)!.some((write) => write.n === n));
  const makers = named.map((record) => trial.byRecord.get(record)![0]!);
  if (makers.length === 0 && isNew) throw new Error(`told: ${n} says that it made ${id}, and did not write it`);
  if (isNew && !makers.some((maker) => maker.n === n || wasRebound(trial, event, maker.at, at)))
    throw new Error(`told: ${n} says that it made ${id}, which ${makers[0]!.n} had made`);
  // A later one is of another portal, whose ids may be the same.
  const own = makers.find((maker) => maker.n === n && maker.sentAt <= at);
  if (!isNew && own && makers.length === 1 && isCalm(trial, event, own.sentAt - heardWithinMs, at))
    throw new Error(`told: ${n} made ${id} and says that it was there`);
}
