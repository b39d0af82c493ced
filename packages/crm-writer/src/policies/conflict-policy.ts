import { type ConflictRecord, type CrmRecord, deterministicUuid, type RecordWrite, type StoreClock } from '@sluice/ports';
import { arbitrate, type Arbitrated } from './arbitrate';
import type { TokenApp } from '../session/token-app';
import type { PortalSession } from '../session/portal-session';
import { sameValue } from '../shared/same-value';
import { proceed, type Verdict, type WritePolicy, type WriteSubject } from './write-policy';

/** Values are kept to be compared by people: longer ones are cut. */
const keptCharacters = 4_096;

/**
 * The conflict strategy (docs/reference/conflicts.md): a property that was last edited outside of Sluice is written only when the
 * source wins it. Each arbitrated property is recorded once the write has succeeded, or has no property left to write.
 */
export function createConflictPolicy(session: PortalSession, tokenApp: TokenApp, storeNow: StoreClock): WritePolicy {
  return {
    concerns: ({ write }) => Boolean(write.conflicts) && Object.keys(write.properties).length > 0,
    reads: ({ write }) => {
      const properties = Object.keys(write.properties);
      return { properties, changes: properties };
    },
    judge: async (subject, current): Promise<Verdict> => {
      const { unit, write } = subject;
      if (!write.conflicts || !current) return proceed;
      const app = await tokenApp(session);
      if (!app.ok) return { kind: 'refuse', failure: app };
      const modifiedAt = Date.parse(write.conflicts.modifiedAt ?? unit.position.acceptedAt);
      const { properties, conflicts: policy } = write;
      const arbitrated = arbitrate({ properties, current, policy, modifiedAt, tokenApp: app.value });
      const landed = (crmId: string): void => {
        const createdAt = new Date(storeNow()).toISOString();
        unit.effects.conflicts.push(...arbitrated.map((one) => conflictRecord(subject, crmId, createdAt, one)));
      };
      return verdictOf(write, current, arbitrated, landed);
    },
  };
}

function verdictOf(
  write: RecordWrite,
  current: CrmRecord,
  arbitrated: readonly Arbitrated[],
  landed: (crmId: string) => void,
): Verdict {
  const lost = new Set(arbitrated.filter(({ winner }) => winner === 'target').map(({ property }) => property));
  const left = Object.entries(write.properties).filter(([name]) => !lost.has(name));
  const changes = left.some(([name, value]) => !sameValue(name, current.properties[name] ?? null, value));
  if (!changes) return { kind: 'skip', reason: lost.size > 0 ? 'target_wins' : 'unchanged', landed };
  if (lost.size === 0) return { ...proceed, landed };
  return { kind: 'amend', properties: Object.fromEntries(left), landed };
}

function conflictRecord(
  { unit, write }: WriteSubject,
  crmId: string,
  createdAt: string,
  { sourceValue, targetValue, ...one }: Arbitrated,
): ConflictRecord {
  const { entity, externalId, objectType } = write;
  return {
    id: deterministicUuid(JSON.stringify([unit.unitKey, objectType, crmId, one.property])),
    connectorId: unit.connectorId,
    entityName: entity,
    externalId,
    crmId,
    ...one,
    sourceValue: sourceValue?.slice(0, keptCharacters) ?? null,
    targetValue: targetValue?.slice(0, keptCharacters) ?? null,
    createdAt,
  };
}
