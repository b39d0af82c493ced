import type { Step } from '@sluice/contracts';
import { compileEntity, compileFlow, eventContext, type Outcome, type StepItem } from '@sluice/flow-engine';
import type { CallResult, RecordWrite, RecordWriteResult } from '@sluice/ports';
import { CrmRecordsTwin, portTwins } from '@sluice/ports/testing';
import type { ActionPorts } from '../../define-action';
import { findAction } from '../../registry';
import { companyEntity, contactEntity } from '../order-examples';

export const entities = new Map([contactEntity, companyEntity].map((entity) => [entity.name, compileEntity(entity)]));
export const flowOf = (step: Step) =>
  compileFlow<ActionPorts>({ name: 'f', source: 'event_api', event_type: 't', steps: [step] }, { entities, actions: findAction });
export const upsertMany: Step = { id: 'all', action: 'upsert_many', target: 'crm', entity: 'contact', items: '$.payload.people' };

export interface Run {
  step?: Step;
  crm?: ActionPorts['crm'];
  ended?: readonly StepItem[];
  context?: Partial<Parameters<typeof eventContext>[0]>;
}

export type ItemsOutcome = Outcome & { items: readonly StepItem[] };

export async function run(
  people: unknown,
  { step = upsertMany, crm = new CrmRecordsTwin(), ended, context }: Run = {},
): Promise<ItemsOutcome> {
  const ctx = eventContext({ payload: { people }, event_type: 't', connector_id: 'c', ...context });
  const { signal } = new AbortController();
  const ports = portTwins({ crm });
  const outcome = await flowOf(step).steps[0]!.run({ entities, ctx, ports, signal, ...(ended && { ended }) });
  return outcome as ItemsOutcome;
}

export const person = (email: string, more: object = {}) => ({ email: `${email}@x.co`, ...more });

/** A CRM whose writes are answered by `answer`, and that notes in which order they were asked for. */
export function crmThat(answer: (write: RecordWrite) => Promise<CallResult<RecordWriteResult>>) {
  const asked: string[] = [];
  const crm = Object.assign(new CrmRecordsTwin(), {
    upsert: (write: RecordWrite) => {
      asked.push(String(write.identityValue));
      return answer(write);
    },
  });
  return { crm, asked };
}

export const landed = { ok: true, value: { crm_id: '1', created: true, updated: false, skipped: false, reason: null } } as const;
export const down = { ok: false, kind: 'transient', code: 'crm_unavailable', message: '503' } as const;
