import type { CrmWriter, UnitContext } from '@sluice/crm-writer';
import type { CarriedRecord, RestTargets, TargetResult } from '@sluice/ports';

/**
 * The destinations of one attempt; the values of CRM records in accepted requests are remembered. Requests of one event to
 * several destinations count as one: each may send back its part. A request is remembered before the CRM is asked for newer
 * values, so that no write can land between the two unseen (ADR 0205).
 */
export function keepingSent(
  targets: RestTargets, writer: Pick<CrmWriter, 'keepSent' | 'keepSending' | 'isOutdated'>, unit: UnitContext | null,
): RestTargets {
  const kept = new Map<string, CarriedRecord>();
  return {
    now: targets.now,
    ...(unit && {
      isOutdated: async (record) => {
        await writer.keepSending(unit, record, null);
        const isOutdated = await writer.isOutdated(unit, record);
        if (isOutdated) await writer.keepSending(unit, record, targets.now());
        return isOutdated;
      },
    }),
    send: async (request) => {
      const { carries } = request;
      if (!unit || !carries) return targets.send(request);
      await writer.keepSending(unit, carries, null);
      const result = await targets.send(request);
      await writer.keepSending(unit, carries, targets.now());
      if (!isAccepted(result)) return result;
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
