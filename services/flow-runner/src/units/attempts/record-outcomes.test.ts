import { compileConfig } from '@sluice/config-model';
import { type ConfigDocument, type ConnectorChange, type EventEnvelope, flowText, type Step } from '@sluice/contracts';
import { freeAdmission } from '@sluice/gates';
import {
  type CallFailure, type CallResult, type CrmRecords, type FailureCode, parseScope, type RecordRow, type RecordWriteResult,
  secretMask,
} from '@sluice/ports';
import {
  createMemoryBlobStore, IdentityMapTwin, partialPort, RestTargetsTwin, unusedPort,
} from '@sluice/ports/testing';
import { tinyConfig } from '../../test-support/tiny-config';
import { testUnit } from '../../test-support/units';
import type { AttemptDeps } from './attempt';
import { attemptUnit } from './attempt-unit';
import { judgeAttempt } from '../verdicts/judge-attempt';
import { holdUnit } from '../verdicts/verdict';

const connector = { connector_id: 'c', default_store_id: null, active_version: 4, binding: null } as unknown as ConnectorChange;
const day = 86_400_000;
const now = Date.parse('2026-01-01T00:00:10Z');
const order: Step = { id: 'order', action: 'upsert', target: 'crm', entity: 'order' };
const halt: Step = { id: 'halt', action: 'skip', reason: 'not for us' };
const link: Step = {
  id: 'link', action: 'associate', target: 'crm', from_entity: 'order', from_external_id: '$.payload.number', to_entity: 'order',
  to_external_id: '$.payload.other',
};

const configOf = (steps: Step[], more: Partial<ConfigDocument['flows'][number]> = {}): ConfigDocument => ({
  ...tinyConfig,
  flows: [{ ...tinyConfig.flows[0]!, steps, ...more }],
});

const created: CallResult<RecordWriteResult> = {
  ok: true, value: { crm_id: '1', created: true, updated: false, skipped: false, reason: null },
};
const notYet: CallFailure = {
  ok: false, kind: 'transient', code: 'related_record_not_synced', message: 'order A-2 is not in the CRM yet', stepsAside: true,
};

interface Case {
  steps?: Step[];
  flow?: Partial<ConfigDocument['flows'][number]>;
  event?: Partial<EventEnvelope>;
  /** What the CRM says to an upsert; an association always has to wait for its other end. */
  answer?: CallResult<RecordWriteResult>;
  /** Earlier attempts. */
  attempts?: number;
}

/** The row of the last attempt of an event; throws when it is held instead. */
async function rowOf(
  { steps = [order], flow, event, answer = created, attempts = 0 }: Case, secrets: string[] = [],
): Promise<RecordRow> {
  const crm = partialPort<CrmRecords>('crm', { upsert: async () => answer, associate: async () => notYet });
  const payload = { number: 'A-1', title: 'Order A-1' };
  const unit = testUnit({ accepted_at: '2026-01-01T00:00:00.000Z', payload, ...event });
  if (attempts > 0)
    unit.held = { ...holdUnit(unit, { scope: parseScope('lane:c'), reason: 'retry', dueAt: now }), attempts, tries: attempts };
  const deps = {
    writer: {
      recordsFor: () => crm, filesFor: () => unusedPort('files'), identitiesFor: () => new IdentityMapTwin(),
    },
    targets: { forRun: () => new RestTargetsTwin() },
    blobs: createMemoryBlobStore(),
    policy: { attempts: 5, waitsMs: [10_000], ceilingMs: 10_000, ttlMs: 14 * day },
    lateWriteMs: 0,
    storeNow: () => now,
    owns: () => true,
    ownedSince: () => 0,
    traces: () => ({ characters: 10_000, mask: secretMask(secrets) }),
  } as unknown as AttemptDeps;
  const config = compileConfig(configOf(steps, flow));
  const setting = { connector, version: connector.active_version, config, admission: freeAdmission };
  const { end } = await attemptUnit(deps, unit, setting);
  const verdict = judgeAttempt(unit, end, deps.policy, deps.storeNow());
  if (verdict.kind !== 'rows') throw new Error(`it is not ended, but ${verdict.kind}`);
  return verdict.rows[0]!;
}

const failed = (kind: 'transient' | 'permanent', code: FailureCode, message = 'no'): CallFailure => ({
  ok: false, kind, code, message,
});

describe('the outcome of a record', () => {
  test.each<[string, Case, Partial<RecordRow>]>([
    ['completed: the flow wrote', {}, { status: 'completed', replayable: false, crmId: '1', externalId: 'A-1' }],
    ['skipped: no flow is subscribed', { event: { event_type: 'cart.left' } }, { status: 'skipped', reason: 'no_flow_matched' }],
    ['skipped: the flow is disabled', { flow: { enabled: false } }, { status: 'skipped', reason: 'flow_disabled' }],
    [
      'skipped: a step says so',
      { steps: [halt, order] },
      { status: 'skipped', reason: flowText('not for us'), replayable: false },
    ],
    [
      'skipped: no step applied', { steps: [{ ...order, when: { exists: '$.payload.nope' } }] },
      { status: 'skipped', reason: 'no_step_applied' },
    ],
    [
      'failed: a permanent error', { answer: failed('permanent', 'crm_rejected') },
      { status: 'failed', errorKind: 'permanent', errorCode: 'crm_rejected', error: 'no', stepId: 'order', replayable: true },
    ],
    [
      'parked: five attempts failed transiently', { answer: failed('transient', 'crm_unavailable'), attempts: 4 },
      { status: 'parked', errorKind: 'transient', attempts: 5, replayable: true },
    ],
    [
      'partial_success: an accessory step failed after the write',
      { steps: [order, link], event: { payload: { number: 'A-1', title: 'T', other: 'A-2' } }, attempts: 4 },
      { status: 'partial_success', stepId: 'link', crmId: '1', replayable: true },
    ],
    [
      'quarantined: an identity guard refused', { answer: failed('permanent', 'identity_guard') },
      { status: 'quarantined', errorCode: 'identity_guard', replayable: true },
    ],
    [
      'quarantined: the record was deleted in the CRM', { answer: failed('permanent', 'target_deleted') },
      { status: 'quarantined', errorCode: 'target_deleted' },
    ],
    [
      'dlq: the event waited longer than events are kept', { event: { accepted_at: '2025-12-18T00:00:00.000Z' } },
      { status: 'dlq', reason: 'expired', replayable: true },
    ],
  ])('%s', async (_name, given, expected) => {
    const row = await rowOf(given);
    expect(row).toMatchObject(expected);
    // Every row names the version that ran.
    expect(row.configVersion).toBe(4);
  });

  test('has the traces of its steps, without the secrets of its connector', async () => {
    const echo = failed('permanent', 'crm_rejected', 'the token tok-4711 may not');
    const row = await rowOf({ answer: echo }, ['tok-4711']);
    expect(row.error).toBe('the token *** may not');
    expect(row.steps).toMatchObject([{ id: 'order', action: 'upsert', status: 'failed', error: 'the token *** may not' }]);
  });
});
