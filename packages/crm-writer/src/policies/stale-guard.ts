import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';
import { proceed, type Verdict, type WritePolicy } from './write-policy';

/**
 * A replayed, resent or stepped-aside event writes nothing over what a newer event wrote (ADR 0036). The writes of this process
 * are checked again when the batch is sent, because a newer event may write the record between check and send.
 */
export function createStaleGuard(parts: Pick<WriterParts, 'landed' | 'mappings' | 'removals'>): WritePolicy {
  const { landed, mappings, removals } = parts;
  const judgeGuarded = async (unit: UnitContext, objectType: string, crmId: string): Promise<Verdict> => {
    const superseded = await landed.superseded(unit, objectType, crmId);
    return superseded ? { kind: 'skip', reason: 'superseded' } : proceed;
  };
  return {
    concerns: ({ unit }) => unit.guarded,
    judge: ({ unit, record }) => {
      if (!('crmId' in record)) return proceed;
      return judgeGuarded(unit, record.objectType, record.crmId);
    },
    overtaken: ({ unit, record, write }) => {
      const { entity, externalId } = write;
      return () =>
        landed.outdated(unit, record) || (externalId !== null && mappings.outdated(unit, entity, externalId)) ||
        (!('crmId' in record) && removals.outdated(unit, write));
    },
  };
}
