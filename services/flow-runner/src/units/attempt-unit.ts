import type { ActionPorts } from '@sluice/actions';
import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { type Activity, type Admission, type CrmWriter, noEffects, type UnitContext, type UnitEffects } from '@sluice/crm-writer';
import type { CompiledFlow, FailureCode, RunOutcome } from '@sluice/flow-engine';
import type { createRestTargets } from '@sluice/rest-targets';
import { mainRecord, runFlow, type TraceRules, wroteSingle } from '@sluice/flow-run';
import type { BlobStore, ExportFiles } from '@sluice/ports';
import { BlobStoreUnavailable, StoreUnavailable, unitKeyText } from '@sluice/ports';
import { bulkStepsOf } from './bulk-steps';
import { unitRows, type UnitFacts } from './item-rows';
import { createExportFiles } from '../files/create-export-files';
import type { RetryPolicy } from './retry-policy';
import { noteUnanswered, targetRun } from './target-run';
import { isExpired, type Unit } from './unit';
import { keepingSent } from './keeping-sent';
import { memoryOf } from './memory-of';
import type { PayloadRoom, ReadMemory } from './read-memory';
import { isNarrow, verdictOf, type Verdict } from './verdict';

export interface AttemptDeps {
  writer: CrmWriter;
  targets: ReturnType<typeof createRestTargets>;
  blobs: BlobStore;
  readMemory: Pick<ReadMemory, 'payload'>;
  /** Reading a payload is waiting (ADR 0006). */
  activity: Pick<Activity, 'waiting'>;
  policy: RetryPolicy;
  /** Bytes of a file that a step exports. */
  maxFileBytes: number;
  /** How long after it was sent a write without an answer may still land, milliseconds. */
  lateWriteMs: number;
  /** How much of its steps a record keeps, and what of a connector's is kept out of them. */
  traces(connector: ConnectorChange): TraceRules;
  now(): number;
  owns(unit: Unit): boolean;
}

/** How an attempt ended and what it leaves to be stored with it. */
export interface Attempt {
  verdict: Verdict;
  effects: UnitEffects;
  flowName: string | null;
}

/**
 * Whether something newer may have run meanwhile. Others pass what waits in an event's or a flow's scope. What was begun had
 * mates of its batch, and a newer version may lead it to their records; other lanes went on. What waited with its lane unbegun is
 * in turn.
 */
const mayBeOvertaken = ({ held }: Unit): boolean => held !== null && (held.tries > 0 || isNarrow(held.scope));

function contextOf(deps: AttemptDeps, unit: Unit, connector: ConnectorChange, effects: UnitEffects): UnitContext | null {
  if (!connector.binding) return null;
  const forced = unit.envelope.forced === true;
  return {
    connectorId: connector.connector_id,
    unitKey: unitKeyText(unit.key),
    binding: {
      credentialId: connector.binding.credential_id,
      portalId: connector.binding.portal_id,
      epoch: connector.binding.epoch,
      mappingsRemoved: connector.mappings_removed ?? 0,
    },
    position: unit.position,
    guarded: !forced && (unit.envelope.kind !== 'live' || mayBeOvertaken(unit)),
    forced,
    retried: (unit.held?.tries ?? 0) > 0,
    traceparent: unit.traceparent,
    effects,
    unanswered: (sentMsAgo) => noteUnanswered(deps, unit, sentMsAgo),
    owned: () => deps.owns(unit),
  };
}

/** How writes of the flow meet echoes. Nothing comes back to a connector that sends nothing out of the journal. */
function echoesOf(
  { envelope }: Unit, { flow }: CompiledFlow<ActionPorts>, { sendsWithFreshness }: CompiledConfig,
): NonNullable<UnitContext['echoes']> {
  const check = sendsWithFreshness && flow.freshness_check !== false;
  return { check, suppress: flow.suppress_echo === true, sends: sendsWithFreshness, eventId: envelope.event_id };
}

type Loaded = { ok: true; payload: unknown } | { ok: false; outcome: RunOutcome };

/** Runs work with the event's payload, which is in memory as long as that takes. */
async function withPayload<R>(deps: AttemptDeps, unit: Unit, work: (loaded: Loaded) => Promise<R>): Promise<R> {
  const { payload_ref: ref, payload, connector_id: connectorId } = unit.envelope;
  if (!ref) return work({ ok: true, payload: payload ?? null });
  const room = await deps.activity.waiting(deps.readMemory.payload(connectorId, ref.bytes));
  try {
    return await work(await payloadOf(deps, unit, ref.key, room));
  } finally {
    room.end();
  }
}

async function payloadOf(deps: AttemptDeps, unit: Unit, key: string, room: PayloadRoom): Promise<Loaded> {
  const failure = (kind: 'transient' | 'permanent', code: FailureCode, message: string): { ok: false; outcome: RunOutcome } => ({
    ok: false,
    outcome: kind === 'transient'
      ? { status: 'retry', stepId: 'payload', failure: { kind, code, message }, wrote: unit.held?.wrote ?? false }
      : { status: 'failed', stepId: 'payload', failure: { kind, code, message } },
  });
  try {
    const bytes = await deps.activity.waiting(deps.blobs.get(key));
    if (!bytes) return failure('permanent', 'payload_gone', 'the stored payload of this event no longer exists');
    const payload: unknown = JSON.parse(bytes.toString('utf8'));
    room.holds(memoryOf(payload));
    return { ok: true, payload };
  } catch (error) {
    if (error instanceof BlobStoreUnavailable)
      return failure('transient', 'blob_unavailable', 'the payload store cannot be reached');
    throw error;
  }
}

function ended(deps: AttemptDeps, unit: Unit, facts: UnitFacts): Attempt {
  const bulk = unit.held?.endedItems ?? {};
  const rows = unitRows(unit, (unit.held?.attempts ?? 0) + 1, new Date(deps.now()), { ...facts, bulk });
  return {
    verdict: { kind: 'rows', rows },
    effects: noEffects(),
    flowName: facts.flowName,
  };
}

interface FlowAttempt {
  connector: ConnectorChange;
  flow: CompiledFlow<ActionPorts>;
  config: CompiledConfig;
  admission: Admission;
}

const exportsFor = ({ blobs, activity, maxFileBytes: maxBytes }: AttemptDeps, { key, envelope }: Unit): ExportFiles =>
  createExportFiles(
    { blobs, waiting: (work) => activity.waiting(work), maxBytes },
    { connectorId: envelope.connector_id, unitKey: unitKeyText(key) },
  );

async function attemptFlow(
  deps: AttemptDeps, unit: Unit, { connector, flow, config, admission }: FlowAttempt, loaded: Loaded,
): Promise<Attempt> {
  const effects = noEffects();
  const facts = { flowName: flow.name, configVersion: connector.active_version };
  if (!loaded.ok)
    return { verdict: verdictOf(unit, loaded.outcome, facts, deps.policy, deps.now()), effects, flowName: flow.name };
  const { envelope } = unit;
  const ctx = flow.contextOf({
    payload: loaded.payload,
    event_type: envelope.event_type,
    external_id: envelope.external_id,
    timestamp: envelope.timestamp,
    store_id: envelope.store_id ?? connector.default_store_id,
    connector_id: envelope.connector_id,
    source_type: envelope.source_type,
    event_id: envelope.event_id,
  });
  const own = contextOf(deps, unit, connector, effects);
  const writing = own && { ...own, echoes: echoesOf(unit, flow, config) };
  const ports: ActionPorts = {
    crm: deps.writer.recordsFor(writing),
    files: deps.writer.filesFor(writing),
    exports: exportsFor(deps, unit),
    identities: deps.writer.identitiesFor(writing),
    rest: keepingSent(deps.targets.forRun(targetRun(deps, unit, flow.name, config.config.sources)), deps.writer, writing),
  };
  const before = unit.held?.endedItems ?? null;
  const earlier = { wrote: unit.held?.wrote ?? false, attempts: unit.held?.attempts ?? 0, bulk: before };
  const run = await runFlow(flow, ctx, ports, {
    earlier, now: deps.now, isOurs: (error) => error instanceof StoreUnavailable, traces: deps.traces(connector),
  });
  const verdict = verdictOf(
    unit,
    run.outcome,
    {
      ...facts,
      ...mainRecord(flow, run.reports),
      steps: run.traces,
      bulk: bulkStepsOf(flow, run.reports, before),
      single: wroteSingle(flow, run.reports),
    },
    deps.policy,
    deps.now(),
    admission.trouble(),
  );
  return { verdict, effects, flowName: flow.name };
}

/**
 * One attempt of one unit: match, run, judge.
 * @param config the connector's active version; null when nothing was ever published
 * @param admission by which it may use its portal: what fails while the portal is closed waits for the portal
 */
export function attemptUnit(
  deps: AttemptDeps,
  unit: Unit,
  connector: ConnectorChange,
  config: CompiledConfig | null,
  admission: Admission,
): Promise<Attempt> {
  const { envelope } = unit;
  if (isExpired(unit, deps.policy.ttlMs, deps.now())) {
    return Promise.resolve(
      ended(deps, unit, {
        status: 'dlq',
        flowName: null,
        configVersion: connector.active_version,
        reason: 'expired',
        error: 'the event waited longer than events are kept',
      }),
    );
  }
  const match = config?.match(envelope.source_name, envelope.event_type) ?? { kind: 'none' as const };
  if (config && match.kind === 'flow') {
    const { flow } = match;
    return withPayload(deps, unit, (loaded) => attemptFlow(deps, unit, { connector, flow, config, admission }, loaded));
  }
  const reason = match.kind === 'disabled' ? 'flow_disabled' : 'no_flow_matched';
  const flowName = match.kind === 'disabled' ? match.flow.name : null;
  return Promise.resolve(ended(deps, unit, { status: 'skipped', flowName, configVersion: connector.active_version, reason }));
}
