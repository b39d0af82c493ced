import type { CarriedRecord, PropertyValue } from '@sluice/ports';
import { deletedValues, isEcho, type FingerprintKey, type Fingerprints } from '../state/fingerprints';
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
      const sent = keyOf('sent', unit, record.objectType, record.crmId);
      return judgeSent(sent, echoes.eventId, write.properties);
    },
  };
}

/** Whether values that the unit writes are remembered. */
export const keepsWritten = ({ echoes }: UnitContext): boolean =>
  echoes !== undefined && (echoes.suppress || echoes.sends === true || echoes.hops !== undefined);

/**
 * Remembers written values. With `suppress_echo` they are kept to recognize the echo in the journal. Values sent earlier for the
 * record are no echo any more when they differ: of A, B, A the last is written. The changes that they lead to have the event as
 * their cause.
 */
export async function keepWritten(
  { causes, fingerprints }: Memory,
  unit: UnitContext,
  { objectType, crmId, properties }: { objectType: string; crmId: string; properties: Properties },
): Promise<void> {
  const { echoes } = unit;
  const kept = echoes?.suppress && fingerprints.keep(keyOf('written', unit, objectType, crmId), echoes.eventId, properties);
  const replaced = echoes?.sends && fingerprints.replaced(keyOf('sent', unit, objectType, crmId), properties);
  await Promise.all([kept, replaced, keepCause(causes, unit, { objectType, crmId }, properties)]);
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
  written: Properties | null,
): Promise<void> {
  if (echoes?.hops === undefined) return;
  await causes.keep({ portalId, ...record }, { eventId: echoes.eventId, hops: echoes.hops }, written);
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
