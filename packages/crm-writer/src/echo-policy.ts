import type { PropertyValue } from '@sluice/ports';
import { isEcho, type FingerprintKey, type Fingerprints } from './fingerprints';
import type { UnitContext } from './unit-context';
import { proceed, type WritePolicy } from './write-policy';

/**
 * `freshness_check` of an inbound flow (docs/reference/echoes.md): a write that brings nothing but what the connector itself sent
 * out of this record is left out. A forced replay passes it.
 */
export function createEchoPolicy(fingerprints: Fingerprints): WritePolicy {
  return {
    judge: async ({ unit, write, record }) => {
      if (!unit.echoes?.check || unit.forced || !('crmId' in record)) return proceed;
      const latest = await fingerprints.latest(keyOf('sent', unit, record.objectType, record.crmId));
      return isEcho(latest, unit.echoes.eventId, write.properties) ? { kind: 'skip', reason: 'echo' } : proceed;
    },
  };
}

/** `suppress_echo`: keeps what landed, so that what the journal tells of it is known as an echo. */
export async function keepWritten(
  fingerprints: Fingerprints,
  unit: UnitContext,
  { objectType, crmId, properties }: { objectType: string; crmId: string; properties: Readonly<Record<string, PropertyValue>> },
): Promise<void> {
  if (!unit.echoes?.suppress) return;
  await fingerprints.keep(keyOf('written', unit, objectType, crmId), unit.echoes.eventId, properties);
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
