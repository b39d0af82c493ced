import type { ActionPorts } from '@sluice/actions';
import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { type PortalAdmission, noEffects, type UnitContext, type UnitEffects } from '@sluice/crm-writer';
import type { CancelSignal, CompiledFlow, FailureCode, RunOutcome, StepReport } from '@sluice/flow-engine';
import { earlierSteps, FlowInterrupted, type FlowRun, keptSteps, mainRecord, runFlow, wroteSingle } from '@sluice/flow-run';
import type { ExportFiles, KeptSteps } from '@sluice/ports';
import { BlobStoreUnavailable, heldTooLong, StoreUnavailable } from '@sluice/ports';
import type { Attempt, AttemptDeps } from './attempt';
import { AttemptPorts } from './attempt-ports';
import { bulkStepsOf } from './bulk-steps';
import { bindingOf, hasWritten, ofBinding } from './earlier-attempts';
import { createExportFiles } from '../../files/create-export-files';
import { AttemptPlugins } from '../../plugins/attempt-plugins';
import type { AttemptEnd, EndFacts } from '../verdicts/judge-attempt';
import { isOfJournal, judgeJournal } from './journal-echo';
import { matchOf, plannedEvent } from '../plan-unit';
import { noteUnanswered, targetRun } from './target-run';
import { classOf, flowNameOf, isExpired, type Unit } from '../unit';
import { memoryOf } from '../memory-of';
import { notRun } from './not-run';
import type { PayloadRoom } from '../read-memory';
import { isNarrow } from '../verdicts/verdict';

/** The connector, version and admission of an attempt. */
export interface AttemptSetting {
  connector: ConnectorChange;
  /** The config version that the unit was planned with, and its compiled form; null: nothing was published. */
  version: number | null;
  config: CompiledConfig | null;
  /** The permission to use its portal: a unit that fails while the portal is closed waits for the portal. */
  admission: PortalAdmission;
}

interface FlowAttempt extends AttemptSetting {
  flow: CompiledFlow<ActionPorts>;
  config: CompiledConfig;
  /** Links of the event's chain of causes. */
  hops: number;
}

/**
 * Whether something newer may have run meanwhile. Other events overtake one that waits alone or with its flow. A unit that was
 * tried before may have had a convoy, to whose records a newer version may lead it now. A unit that waited untried with its lane
 * is in its normal order.
 */
const mayBeOvertaken = ({ held }: Unit): boolean => held !== null && (held.tries > 0 || isNarrow(held.scope));

/** Whether an attempt failed in the CRM; nothing of one that reached the write cap was sent. */
const hasFailed = ({ held }: Unit): boolean => held !== null && held.tries > 0 && held.lastErrorCode !== 'write_cap_reached';

function contextOf(deps: AttemptDeps, unit: Unit, setting: FlowAttempt, effects: UnitEffects): UnitContext | null {
  const { connector, version } = setting;
  if (!connector.binding) return null;
  const forced = unit.envelope.forced === true;
  return {
    connectorId: connector.connector_id,
    unitKey: unit.keyText,
    binding: {
      credentialId: connector.binding.credential_id,
      portalId: connector.binding.portal_id,
      epoch: connector.binding.epoch,
      mappingsRemoved: connector.mappings_removed ?? 0,
    },
    configVersion: version,
    position: unit.position,
    guarded: !forced && (unit.envelope.kind !== 'live' || mayBeOvertaken(unit)),
    forced,
    retried: hasFailed(unit),
    inConvoy: unit.plan?.convoy ?? false,
    capped: connector.write_cap === 'armed' || connector.write_cap === 'tripped',
    traceparent: unit.traceparent,
    effects,
    echoes: echoesOf(unit, setting),
    unanswered: (sentMsAgo) => noteUnanswered(deps, unit, sentMsAgo),
    owned: () => deps.owns(unit),
    ownedSince: deps.ownedSince(unit) ?? Infinity,
    ...(classOf(unit) !== 'live' && {
      workClass: () => classOf(unit),
      hurry: (workClass) => { unit.hurried = workClass; },
    }),
  };
}

/**
 * How writes of the flow handle echoes. A connector that sends nothing out of the journal gets no echoes; of one that does not
 * read the journal no event is caused by what it writes.
 */
function echoesOf({ envelope }: Unit, { config, flow: { flow }, hops }: FlowAttempt): NonNullable<UnitContext['echoes']> {
  const { readsJournal, sendsWithFreshness: sends } = config;
  const check = sends && flow.freshness_check !== false;
  return {
    check, suppress: flow.suppress_echo === true, sends, eventId: envelope.event_id,
    acceptedAt: Date.parse(envelope.accepted_at), ...(readsJournal && { hops }),
  };
}

function pluginsFor(deps: AttemptDeps, unit: Unit, { flow, config }: FlowAttempt, effects: UnitEffects): AttemptPlugins {
  const { organization_id: organizationId, connector_id: connectorId, event_id: eventId } = unit.envelope;
  const { name: flowName, source: sourceName } = flow.flow;
  const owned = (): boolean => deps.owns(unit);
  return new AttemptPlugins(deps.plugins, {
    organizationId, connectorId, eventId, flowName, sourceName, config: config.config, effects, owned,
  });
}

type Loaded = { ok: true; payload: unknown } | { ok: false; outcome: RunOutcome };

/** Runs work with the event's payload, which is in memory for that time only. */
function withPayload<R>(deps: AttemptDeps, unit: Unit, wrote: boolean, work: (loaded: Loaded) => Promise<R>): Promise<R> {
  const { payload_ref: ref, payload } = unit.envelope;
  return ref ? withStoredPayload(deps, unit, { ...ref, wrote }, work) : work({ ok: true, payload: payload ?? null });
}

async function withStoredPayload<R>(
  deps: AttemptDeps,
  unit: Unit,
  ref: NonNullable<Unit['envelope']['payload_ref']> & { wrote: boolean },
  work: (loaded: Loaded) => Promise<R>,
): Promise<R> {
  const { connector_id: connectorId } = unit.envelope;
  const room = await deps.activity.waiting(deps.readMemory.payload(connectorId, ref.bytes));
  try {
    return await work(await payloadOf(deps, ref.key, room, ref.wrote));
  } finally {
    room.end();
  }
}

async function payloadOf(deps: AttemptDeps, key: string, room: PayloadRoom, wrote: boolean): Promise<Loaded> {
  const failure = (kind: 'transient' | 'permanent', code: FailureCode, message: string): { ok: false; outcome: RunOutcome } => ({
    ok: false,
    outcome: kind === 'transient'
      ? { status: 'retry', stepId: 'payload', failure: { kind, code, message }, wrote }
      : { status: wrote ? 'partial_success' : 'failed', stepId: 'payload', failure: { kind, code, message } },
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

const exportsFor = ({ blobs, activity, maxFileBytes: maxBytes }: AttemptDeps, { keyText, envelope }: Unit): ExportFiles =>
  createExportFiles(
    { blobs, waiting: (work) => activity.waiting(work), maxBytes },
    { connectorId: envelope.connector_id, unitKey: keyText },
  );

/**
 * Cancels the attempts of a unit whose partition is lost. A class, for each object literal with a getter gets a shape of its own,
 * which costs more than the rest of a short attempt.
 */
class LostPartition implements CancelSignal {
  constructor(
    private readonly deps: Pick<AttemptDeps, 'owns'>,
    private readonly unit: Unit,
  ) {}

  get aborted(): boolean {
    return !this.deps.owns(this.unit);
  }
}

const isOurs = (error: unknown): boolean => error instanceof StoreUnavailable;

async function attemptFlow(deps: AttemptDeps, unit: Unit, setting: FlowAttempt, loaded: Loaded): Promise<Attempt> {
  const { connector, flow, config, version: configVersion, admission } = setting;
  const effects = noEffects();
  const planned = { flowName: flow.name, configVersion };
  if (!loaded.ok) {
    return { end: { kind: 'ran', outcome: loaded.outcome, facts: planned, trouble: null, wrote: false }, effects, binding: null };
  }
  const ctx = flow.contextOf(plannedEvent(unit, loaded.payload, connector));
  const ports = new AttemptPorts({
    writer: deps.writer,
    writing: contextOf(deps, unit, setting, effects),
    exports: () => exportsFor(deps, unit),
    targets: () => deps.targets.forRun(targetRun(deps, unit, flow.name, config.config.sources)),
    plugins: () => pluginsFor(deps, unit, setting, effects),
  });
  const binding = bindingOf(connector);
  const before = ofBinding(unit.held?.keptSteps ?? null, binding);
  const steps = earlierSteps(flow, before, binding);
  const earlier = { wrote: hasWritten(unit, binding), attempts: unit.held?.attempts ?? 0, steps };
  const [signal, begunAt] = [new LostPartition(deps, unit), deps.storeNow()];
  const keep = (reports: readonly StepReport[]): KeptSteps | null =>
    keptSteps(flow, { reports, before, binding, begunAt, characters: deps.keptCharacters });
  let run: FlowRun;
  try {
    run = await runFlow(flow, ctx, ports, { signal, earlier, now: deps.storeNow, isOurs, traces: deps.traces(connector) });
  } catch (error) {
    if (!(error instanceof FlowInterrupted)) throw error;
    return { end: interrupted(error, { flowName: flow.name, before, kept: keep(error.reports), binding }), effects,
      binding: null };
  }
  const { outcome, reports } = run;
  const bulk = bulkStepsOf(flow, reports, before);
  const single = wroteSingle(reports);
  const facts = {
    flowName: flow.name, configVersion, steps: run.traces, bulk, single, kept: () => keep(reports), ...mainRecord(flow, reports),
  };
  const wrote = reports.some((report) => report.wrote);
  const end = { kind: 'ran', outcome, facts, trouble: admission.trouble(), wrote } as const;
  return { end, effects, binding: dependsOnPortal(flow, reports) ? binding : null };
}

/**
 * The end of an attempt that the store interrupted.
 * @throws the error of the store, when nothing was done that the next attempt has to know
 */
function interrupted(
  { cause }: FlowInterrupted,
  { flowName, before, kept, binding }: {
    flowName: string; before: KeptSteps | null; kept: KeptSteps | null; binding: number | null },
): AttemptEnd {
  if (kept === null || JSON.stringify(kept) === JSON.stringify(before)) throw cause;
  return { kind: 'interrupted', flowName, kept, binding };
}

/** Whether a step that ran depends on the portal. */
function dependsOnPortal(flow: CompiledFlow<ActionPorts>, reports: readonly StepReport[]): boolean {
  const ran = new Set(reports.flatMap(({ id, status }) => (status === 'skipped' ? [] : [id])));
  return flow.steps.some(({ id, bound = false }) => bound && ran.has(id));
}

const stops = {
  cancelled: { status: 'skipped', reason: 'cancelled' },
  held_expired: { status: 'dlq', reason: 'held_expired', error: heldTooLong },
} as const;

/**
 * The flow of a unit that ends without running it. It may be the recovery attempt of that flow, whose breaker waits for its end
 * before it tries another unit.
 */
const endedFlowOf = (unit: Unit): string | null => flowNameOf(unit) ?? unit.held?.flowName ?? null;

/** One attempt of one unit, with the flow of its plan. A row of an import does not begin once that was stopped. */
export function attemptUnit(deps: AttemptDeps, unit: Unit, setting: AttemptSetting): Promise<Attempt> {
  const { import_row: row, kind } = unit.envelope;
  return row && kind === 'import' ? attemptRow(deps, unit, setting, row.import_id) : attemptEvent(deps, unit, setting);
}

async function attemptRow(deps: AttemptDeps, unit: Unit, setting: AttemptSetting, importId: string): Promise<Attempt> {
  const stop = await deps.activity.waiting(deps.importStops.of(importId));
  if (stop === null) return attemptEvent(deps, unit, setting);
  const { connector, version } = setting;
  const facts = { ...stops[stop], flowName: endedFlowOf(unit), configVersion: version };
  return notRun(unit, facts, { counts: false, wrote: hasWritten(unit, bindingOf(connector)) });
}

function attemptEvent(deps: AttemptDeps, unit: Unit, setting: AttemptSetting): Promise<Attempt> {
  const { connector, version, config, admission } = setting;
  const wrote = hasWritten(unit, bindingOf(connector));
  const ended = (facts: Pick<EndFacts, 'status' | 'reason' | 'error'>, flowName: string | null): Promise<Attempt> =>
    Promise.resolve(notRun(unit, { ...facts, flowName, configVersion: version }, { counts: true, wrote }));
  if (isExpired(unit, deps.policy.ttlMs, deps.storeNow()))
    return ended({ status: 'dlq', reason: 'expired', error: 'the event waited longer than events are kept' },
      endedFlowOf(unit));
  const match = matchOf(unit, config);
  if (!config || match.kind === 'none')
    return ended({ status: 'skipped', reason: 'no_flow_matched' }, unit.held?.flowName ?? null);
  const { flow } = match;
  if (match.kind === 'disabled') return ended({ status: 'skipped', reason: 'flow_disabled' }, flow.name);
  const attempt = (loaded: Loaded, hops: number): Promise<Attempt> =>
    attemptFlow(deps, unit, { connector, version, config, admission, flow, hops }, loaded);
  if (!isOfJournal(unit)) return withPayload(deps, unit, wrote, (loaded) => attempt(loaded, 0));
  return withPayload(deps, unit, wrote, async (loaded) => {
    if (!loaded.ok) return attempt(loaded, 0);
    const { hops, stop } = await judgeJournal(deps.writer, unit, { binding: connector.binding, config, payload: loaded.payload });
    return stop === null ? attempt(loaded, hops) : ended({ status: 'skipped', reason: stop }, flow.name);
  });
}
