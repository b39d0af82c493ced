import type { CarriedRecord, PropertyValue } from '@sluice/ports';
import { deletedValues, isEcho, requestsOfOthers, type FingerprintKey, type Fingerprints } from '../state/fingerprints';
import { objectTypeName } from '../shared/object-type';
import type { UnitContext } from '../shared/unit-context';
import type { WriteCauses } from '../state/write-causes';
import { proceed, type Verdict, type WritePolicy } from './write-policy';
import type { WriterParts } from '../state/writer-parts';

type Memory = Pick<WriterParts, 'causes' | 'fingerprints'>;
type Properties = Readonly<Record<string, PropertyValue>>;

/**
 * `freshness_check` of an inbound flow (docs/reference/echoes.md): a write is skipped when all its values are those that the
 * connector itself sent out of this record. A forced replay is not skipped.
 */
export function createEchoPolicy(fingerprints: Fingerprints): WritePolicy {
  const judgeSent = async (sent: FingerprintKey, eventId: string, properties: Properties): Promise<Verdict> =>
    isEcho(await fingerprints.latest(sent), eventId, properties) ? { kind: 'skip', reason: 'echo' } : proceed;
  return {
    concerns: ({ unit, record }) => unit.echoes?.check === true && !unit.forced && 'crmId' in record,
    judge: ({ unit, write, record }) => {
      const { echoes } = unit;
      if (!echoes || !('crmId' in record)) return proceed;
      return judgeSent(keyOf('sent', unit, record.objectType, record.crmId), echoes.eventId, write.properties);
    },
  };
}

/**
 * The same for a write by an identity value, to a record that the connector may have sent out before it was ever written: the
 * record is read to know which it is. Only a connector that sends records out has such ones.
 */
export function createFirstEchoPolicy(fingerprints: Fingerprints): WritePolicy {
  return {
    concerns: ({ unit, record }) =>
      unit.echoes?.check === true && unit.echoes.sends === true && !unit.forced && !('crmId' in record),
    reads: () => ({ properties: [] }),
    judge: async ({ unit, write, record: { objectType } }, current) => {
      if (!unit.echoes || !current) return proceed;
      const sent = await fingerprints.latest(keyOf('sent', unit, objectType, current.id));
      return isEcho(sent, unit.echoes.eventId, write.properties) ? { kind: 'skip', reason: 'echo' } : proceed;
    },
  };
}

/**
 * How long an event of a change may be on its way from a destination to Sluice, milliseconds: one that was accepted later after a
 * request to the destination was answered tells of a change that followed the request.
 */
const deliveryMs = 1_000;

/** Whether values that the unit writes are remembered. */
export const keepsWritten = ({ echoes }: UnitContext): boolean =>
  echoes !== undefined && (echoes.suppress || echoes.sends === true || echoes.hops !== undefined);

/**
 * Remembers written values. With `suppress_echo` they are kept to recognize the echo in the journal. Values sent earlier for the
 * record are no echo any more when they differ: of A, B, A the last is written. The changes that they lead to have the event as
 * their cause. Values that crossed a request with others are not recognized in the journal: the destination gets them again (ADR
 * 0205).
 */
export async function keepWritten(
  { causes, fingerprints }: Memory,
  unit: UnitContext,
  { objectType, crmId, properties }: { objectType: string; crmId: string; properties: Properties },
): Promise<void> {
  const { echoes } = unit;
  const record = { objectType, crmId };
  const crossed = await hopsOfCrossed(fingerprints, unit, record, properties);
  const recognized = crossed === null ? properties : {};
  const kept = echoes?.suppress && fingerprints.keep(keyOf('written', unit, objectType, crmId), echoes.eventId, recognized);
  const replaced = echoes?.sends && fingerprints.replaced(keyOf('sent', unit, objectType, crmId), properties);
  await Promise.all([kept, replaced, keepCause(causes, unit, record, properties, crossed === null ? 0 : crossed + 1)]);
}

/**
 * Links of the chain of causes of the request that crossed the unit's event, the longest of several: it carried another value of
 * a written property to the destination when the event's change may have been made there already. null: none did.
 */
async function hopsOfCrossed(
  fingerprints: Fingerprints, unit: UnitContext, { objectType, crmId }: { objectType: string; crmId: string },
  properties: Properties,
): Promise<number | null> {
  const { acceptedAt, eventId, sends, suppress } = unit.echoes ?? {};
  if (!suppress || !sends || acceptedAt === undefined) return null;
  const last = await fingerprints.latest(keyOf('sending', unit, objectType, crmId));
  const crossed = (last === null ? [] : requestsOfOthers(last, properties)).filter(({ endedAt, eventId: of }) =>
    of !== eventId && (endedAt === null || acceptedAt <= endedAt + deliveryMs));
  return crossed.length === 0 ? null : Math.max(...crossed.map(({ hops }) => hops));
}

/** Remembers that the unit deleted a record, to recognize the deletion in the journal. */
export async function keepDeleted(
  { causes, fingerprints }: Memory, unit: UnitContext, { objectType, crmId }: { objectType: string; crmId: string },
): Promise<void> {
  const { echoes } = unit;
  const kept = echoes?.suppress && fingerprints.keep(keyOf('written', unit, objectType, crmId), echoes.eventId, deletedValues);
  await Promise.all([kept, keepCause(causes, unit, { objectType, crmId }, null)]);
}

async function keepCause(
  causes: WriteCauses, { binding: { portalId }, echoes }: UnitContext, record: { objectType: string; crmId: string },
  written: Properties | null, atLeast = 0,
): Promise<void> {
  if (echoes?.hops === undefined) return;
  const cause = { eventId: echoes.eventId, hops: Math.max(echoes.hops, atLeast) };
  await causes.keep({ portalId, ...record }, cause, written);
}

/**
 * Remembers the values of a CRM record that a request of the unit carried, to recognize them when the destination sends them
 * back.
 */
export async function keepSent(fingerprints: Fingerprints, unit: UnitContext, record: CarriedRecord): Promise<void> {
  if (!unit.echoes) return;
  const key = keyOf('sent', unit, objectTypeName(record.objectType), record.crmId);
  await fingerprints.keep(key, unit.echoes.eventId, record.properties);
}

/**
 * Remembers that a request of the unit carries values of a record, to recognize an event of the destination that crosses it.
 * @param endedAt when the request ended, milliseconds; null: it is about to be sent
 */
export async function keepSending(
  fingerprints: Fingerprints, unit: UnitContext, { crmId, objectType, properties }: CarriedRecord, endedAt: number | null,
): Promise<void> {
  if (!unit.echoes) return;
  const { eventId, hops = 0 } = unit.echoes;
  await fingerprints.keep(keyOf('sending', unit, objectTypeName(objectType), crmId), eventId, properties, { hops, endedAt });
}

const keyOf = (
  kind: FingerprintKey['kind'],
  { connectorId }: UnitContext,
  objectType: string,
  crmId: string,
): FingerprintKey => ({
  kind,
  connectorId,
  objectType,
  crmId,
});
