import type { Step } from '@sluice/contracts';
import { eventContext, type Outcome, type StepItem } from '@sluice/flow-engine';
import type { CallResult, CrmRecords, RecordWrite, RecordWriteResult } from '@sluice/ports';
import { partialPort, unusedPort } from '@sluice/ports/testing';
import { flowOf, portsOf, shopEntities } from './step-run';

export const upsertMany: Step = { id: 'all', action: 'upsert_many', target: 'crm', entity: 'contact', items: '$.payload.people' };

export interface Run {
  step?: Step;
  /** Default: one that nothing asks. */
  crm?: CrmRecords;
  ended?: readonly StepItem[];
  context?: Partial<Parameters<typeof eventContext>[0]>;
}

export type ItemsOutcome = Outcome & { items: readonly StepItem[] };

export async function run(
  people: unknown,
  { step = upsertMany, crm = unusedPort('crm'), ended, context }: Run = {},
): Promise<ItemsOutcome> {
  const ctx = eventContext({ payload: { people }, event_type: 't', connector_id: 'c', ...context });
  const { signal } = new AbortController();
  const ports = portsOf({ crm });
  const before = ended && { items: ended, landed: null, unansweredSince: null };
  const outcome = await flowOf([step]).steps[0]!.run({ entities: shopEntities, ctx, ports, signal, before });
  return outcome as ItemsOutcome;
}

export const person = (email: string, more: object = {}) => ({ email: `${email}@x.co`, ...more });

/** A CRM whose writes are answered by `answer`, and that notes in which order they were asked for. */
export function crmThat(answer: (write: RecordWrite) => Promise<CallResult<RecordWriteResult>>, more: Partial<CrmRecords> = {}) {
  const asked: string[] = [];
  const crm = partialPort<CrmRecords>('crm', {
    upsert: (write) => {
      asked.push(String(write.identityValue));
      return answer(write);
    },
    ...more,
  });
  return { crm, asked };
}

export const landed = { ok: true, value: { crm_id: '1', created: true, updated: false, skipped: false, reason: null } } as const;
export const down = { ok: false, kind: 'transient', code: 'crm_unavailable', message: '503' } as const;
