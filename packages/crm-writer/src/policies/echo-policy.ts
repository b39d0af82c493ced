import type { CarriedRecord, PropertyValue } from '@sluice/ports';
import { isEcho, type FingerprintKey, type Fingerprints } from '../state/fingerprints';
import { objectTypeName } from '../shared/object-type';
import type { UnitContext } from '../shared/unit-context';
import { proceed, type Verdict, type WritePolicy } from './write-policy';

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
export const keepsWritten = ({ echoes }: UnitContext): boolean => echoes?.suppress === true || echoes?.sends === true;

/**
 * Remembers written values. With `suppress_echo` they are kept to recognize the echo in the journal. Values sent earlier for the
 * record are no echo any more when they differ: of A, B, A the last is written.
 */
export async function keepWritten(
  fingerprints: Fingerprints,
  unit: UnitContext,
  { objectType, crmId, properties }: { objectType: string; crmId: string; properties: Properties },
): Promise<void> {
  const { echoes } = unit;
  const kept = echoes?.suppress && fingerprints.keep(keyOf('written', unit, objectType, crmId), echoes.eventId, properties);
  const replaced = echoes?.sends && fingerprints.replaced(keyOf('sent', unit, objectType, crmId), properties);
  await Promise.all([kept, replaced]);
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
