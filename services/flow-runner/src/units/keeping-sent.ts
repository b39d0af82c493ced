import type { CrmWriter, UnitContext } from '@sluice/crm-writer';
import type { CarriedRecord, RestTargets, TargetResult } from '@sluice/ports';

/**
 * The destinations of one attempt; the values of CRM records in accepted requests are remembered. Requests of one event to
 * several destinations count as one: each may send back its part.
 */
export function keepingSent(
  targets: RestTargets, writer: Pick<CrmWriter, 'keepSent' | 'isOutdated'>, unit: UnitContext | null,
): RestTargets {
  const kept = new Map<string, CarriedRecord>();
  return {
    now: targets.now,
    ...(unit && { isOutdated: (record) => writer.isOutdated(unit, record) }),
    send: async (request) => {
      const result = await targets.send(request);
      const { carries } = request;
      if (!unit || !carries || !isAccepted(result)) return result;
      const key = JSON.stringify([carries.objectType, carries.crmId]);
      const record = { ...carries, properties: { ...kept.get(key)?.properties, ...carries.properties } };
      kept.set(key, record);
      await writer.keepSent(unit, record);
      return result;
    },
  };
}

/** A refused request had no effect; a request without an answer is repeated. */
const isAccepted = (result: TargetResult): boolean => result.ok || result.code === 'target_answer_too_large';
