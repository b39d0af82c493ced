import { findAction, type ActionPorts } from '@sluice/actions';
import type { ConfigDocument, Flow } from '@sluice/contracts';
import {
  compileEntity,
  compileFlow,
  compileMatcher,
  exhausted,
  type EntityLookup,
  type RunOutcome,
  type StepReport,
} from '@sluice/flow-engine';
import { runFlow } from '../run-flow';
import { DryRunNotes } from './dry-run-notes';
import { dryRunPorts } from './dry-run-ports';
import { notExecuted } from './not-executed';

export interface DryRunEvent {
  event_type: string;
  payload: unknown;
  external_id?: string;
  timestamp?: string;
  connectorId: string;
  storeId: string | null;
}

/** The report of a dry run. */
export type DryRun = Awaited<ReturnType<typeof dryRunFlow>>;

/** Runs the actions of a flow of a checked config over an event, on stubs of everything outside. Throws ExpressionError. */
export async function dryRunFlow(config: ConfigDocument, flow: Flow, event: DryRunEvent) {
  const notes = new DryRunNotes();
  const compiled = compileFlow<ActionPorts>(flow, {
    entities: entitiesOf(config, flow),
    actions: (name) => (name === 'plugin' ? null : findAction(name)) ?? notExecuted(name, notes),
  });
  const timestamp = event.timestamp ?? new Date().toISOString();
  const ctx = compiled.contextOf(eventOf(config, flow, { ...event, timestamp }));
  const begins = ({ id, action }: { id: string; action: string }): void => notes.begin(id, action);
  const ports = dryRunPorts(config.sources, timestamp, notes);
  const { reports, outcome } = await runFlow(compiled, ctx, ports, { begins });
  const match = compileMatcher(config)(flow.source, event.event_type);
  return {
    flow: flow.name,
    matched: match.kind !== 'none' && match.flow === flow,
    steps: reports.map((report) => stepView(report, notes)),
    ...outcomeView(outcome),
  };
}

/** Those that the flow names: a config may have hundreds. */
function entitiesOf(config: ConfigDocument, flow: Flow): EntityLookup {
  const named = new Set(textsIn(flow.steps));
  return new Map(config.entities.filter(({ name }) => named.has(name)).map((entity) => [entity.name, compileEntity(entity)]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

function eventOf({ sources }: ConfigDocument, { source }: Flow, event: DryRunEvent) {
  const sourceType = sources.find(({ name }) => name === source)?.type ?? (source === 'event_api' ? 'event_api' : 'unknown');
  return {
    payload: event.payload,
    event_type: event.event_type,
    connector_id: event.connectorId,
    event_id: 'dry-run',
    external_id: event.external_id ?? null,
    timestamp: event.timestamp ?? null,
    store_id: event.storeId,
    source_type: sourceType,
  };
}

const statuses: Record<StepReport['status'], 'ok' | 'skipped' | 'failed'> = {
  done: 'ok',
  halted: 'ok',
  skipped: 'skipped',
  failed: 'failed',
  stepped_aside: 'failed',
};

function stepView({ id, action, status, output, reason, failure }: StepReport, notes: DryRunNotes) {
  const note = notes.of(id);
  const [request = null, ...further] = note?.requests ?? [];
  const notVerifiable = note?.notVerifiable ?? null;
  const executed = note?.flags.not_executed === undefined;
  const verdict = notVerifiable === null ? statuses[status] : 'not_verifiable';
  return {
    id,
    action,
    status: executed ? verdict : 'not_executed',
    output: executed ? output : null,
    request,
    ...(further.length > 0 && { further_requests: further }),
    reason: notVerifiable ?? reason,
    error: failure ? { code: failure.code, message: failure.message } : null,
    ...note?.flags,
  };
}

/** The outcome of the record if every attempt went like this one. */
function outcomeView(outcome: RunOutcome) {
  switch (outcome.status) {
    case 'completed':
      return { outcome: 'completed', reason: null };
    case 'skipped':
      return { outcome: 'skipped', reason: outcome.reason };
    case 'retry':
      return { outcome: exhausted(outcome), reason: outcome.failure.message };
    case 'aside':
      return { outcome: 'partial_success', reason: outcome.failure.message };
    case 'hold':
      return { outcome: 'failed', reason: outcome.failure.message };
    default:
      return { outcome: outcome.status, reason: outcome.failure.message };
  }
}
