import { randomUUID } from 'node:crypto';
import { stoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import { type EventIds, type Intake, type IntakeOrigin, type IntakeRule, intakeRules } from '@sluice/event-intake';
import type { CompatCall, CompatCallStore, EventIndex, Logger, WallClock } from '@sluice/ports';
import type { StoppedFlows } from '../accept/stopped-flows';
import { type CheckedCall, checkCompatBody } from './check-compat-body';
import { compatError, compatRefusal } from './compat-error';
import { compatProgress } from './compat-status';
import type { CompiledIngress, CompiledRoute } from '../sources/compiled-ingress';

export interface CompatCallsDeps {
  intake: Pick<Intake, 'admit' | 'take'>;
  ids: EventIds;
  calls: CompatCallStore;
  index: Pick<EventIndex, 'view'>;
  stoppedFlows: StoppedFlows;
  logger: Logger;
  now: WallClock;
  /** SLUICE_COMPAT_RETENTION in milliseconds. */
  retentionMs: number;
  /** SLUICE_COMPAT_STUCK_AFTER in milliseconds. */
  compatStuckAfterMs: number;
  stuckAfterMs: number;
  eventTtlMs: number;
}

/** Whose call it is, and the request that is served. */
export interface CompatContext {
  connector: ConnectorChange;
  ingress: CompiledIngress;
  requestId: string;
  trace: Record<string, string>;
}

/** An answer of the legacy-compatible ingress. */
export interface CompatAnswer {
  status: number;
  body: Record<string, unknown>;
}

const emptyCall: CompatAnswer = { status: 201, body: { result: 'ok', callId: 'No entities to process' } };
const source = { name: 'event_api', type: 'event_api' } as const;
const first: IntakeOrigin = { source, run: 'first', kind: 'live' };

/**
 * The calls of the legacy-compatible ingress. A call is one event whose records are its items, and its id is the event's: it says
 * by itself when it was made, also after the call was deleted. Rejects with the HttpError to answer.
 */
export class CompatCalls {
  constructor(private readonly deps: CompatCallsDeps) {}

  async ingest(context: CompatContext, route: CompiledRoute, body: unknown): Promise<CompatAnswer> {
    const { connector, ingress } = context;
    const { calls, ids, now } = this.deps;
    const checked = checkCompatBody(body, route, ingress);
    await this.admit(connector);
    if (checked.records.length === 0) return emptyCall;
    const [acceptedAt, { connector_id: connectorId }] = [now(), connector];
    const callId = ids.create(connectorId, acceptedAt);
    const { eventType, records } = checked;
    const before = (): Promise<void> =>
      calls.add({ callId, connectorId, eventType, split: route.split, request: body, units: records.length });
    await this.queue(context, { callId, acceptedAt, checked, origin: first, rule: intakeRules.request, before });
    return { status: 200, body: { result: 'ok', callId } };
  }

  /**
   * null: there is no such call.
   * @throws HttpError 410 for one past its retention, or whose outcomes are past theirs
   */
  async check({ connector }: CompatContext, callId: string): Promise<CompatAnswer | null> {
    const call = await this.find(connector, callId);
    if (call === null) return null;
    const { compatStuckAfterMs, eventTtlMs, index, now, stuckAfterMs } = this.deps;
    const view = await index.view(connector.connector_id, callId, call.createdAt.toISOString());
    if (view.forgotten && view.held.length === 0) throw compatError(410, 'callId expired');
    const facts = { now: now(), stuckAfterMs, eventTtlMs, compatStuckAfterMs, stopped: stoppedReason(connector) };
    const { callError, callStatus, endedAt } = compatProgress(call, view, facts);
    const updatedAt = endedAt && endedAt > call.updatedAt ? endedAt : call.updatedAt;
    return {
      status: 200,
      body: {
        result: 'ok', callId, createdAt: call.createdAt.toISOString(), updatedAt: updatedAt.toISOString(),
        callRequest: call.request, callStatus, callError,
      },
    };
  }

  /** null: there is no such call. */
  async resend(context: CompatContext, action: string, callId: string): Promise<CompatAnswer | null> {
    const { connector, ingress } = context;
    const call = await this.find(connector, callId);
    if (call === null) return null;
    if (!ingress.resendTypes(action)?.has(call.eventType)) throw compatError(400, 'Action does not apply to the call');
    await this.admit(connector);
    await (call.queued ? this.runAgain(context, call) : this.queueRest(context, call));
    return { status: 200, body: { result: 'ok', callId } };
  }

  /** Every record in a new run: what they wrote before is not written again unless it is newer. */
  private async runAgain(context: CompatContext, call: CompatCall): Promise<void> {
    const run = `resend-${randomUUID()}`;
    const { callId, connectorId } = call;
    const origin: IntakeOrigin = { source, run, kind: 'resend', askedAt: new Date(this.deps.now()) };
    await this.queue(context, {
      ...storedEvent(call), origin,
      // Its records were counted when they were accepted.
      rule: { ...intakeRules.request, quota: 'free' },
      before: () => this.deps.calls.begin(connectorId, callId, run),
    });
  }

  /** What was not queued, in the run that was begun: records that are in the log already are recognized by their ids. */
  private async queueRest(context: CompatContext, call: CompatCall): Promise<void> {
    const { callId, connectorId, run } = call;
    const origin: IntakeOrigin = run === 'first' ? first : { source, run, kind: 'resend', askedAt: new Date(this.deps.now()) };
    const quota = run === 'first' ? 'refused' : 'free';
    const before = (): Promise<void> => this.deps.calls.begin(connectorId, callId, run);
    await this.queue(context, { ...storedEvent(call), origin, rule: { ...intakeRules.request, quota }, before });
  }

  private async queue({ connector, requestId, trace }: CompatContext, queued: QueuedCall): Promise<void> {
    const { calls, intake, logger, now } = this.deps;
    const { acceptedAt, before, callId, checked, origin, rule } = queued;
    const { records, timestamp } = checked;
    const event = { eventId: callId, aliases: [], acceptedAt, requestId, timestamp, storeId: null, records };
    const stopped = await this.deps.stoppedFlows(connector, [...new Set(records.map(({ eventType }) => eventType))]);
    const refusal = await intake.take({ connector, rule, origin, events: [event], trace, before, stopped });
    if (refusal !== null) throw compatRefusal(refusal, connector, now(), callId);
    await calls.queued(connector.connector_id, callId, origin.run).catch((error: unknown) => {
      // Its records are in the log: what becomes of them shows it.
      logger.warn('a compat call is not noted as queued', { connector_id: connector.connector_id, call_id: callId, error });
    });
  }

  private async admit(connector: ConnectorChange): Promise<void> {
    const refusal = await this.deps.intake.admit(connector, intakeRules.request);
    if (refusal !== null) throw compatRefusal(refusal, connector, this.deps.now());
  }

  /** @throws HttpError 410 for a call past its retention, whether its row is still there or not */
  private async find({ connector_id: connectorId }: ConnectorChange, callId: string): Promise<CompatCall | null> {
    const { calls, ids, now, retentionMs } = this.deps;
    const facts = ids.read(connectorId, callId);
    if (facts === null) return null;
    if (facts.latest + retentionMs <= now()) throw compatError(410, 'callId expired');
    return calls.get(connectorId, callId);
  }
}

interface QueuedCall {
  callId: string;
  acceptedAt: number;
  checked: CheckedCall;
  origin: IntakeOrigin;
  rule: IntakeRule;
  before(): Promise<void>;
}

/** The event of a stored call, read again from its body. */
function storedEvent(
  { callId, createdAt, eventType, request, split }: CompatCall,
): Omit<QueuedCall, 'origin' | 'rule' | 'before'> {
  // The profile may have changed since: what was accepted stays accepted.
  const route: CompiledRoute = { split, eventType: () => eventType };
  const checked = checkCompatBody(request, route, { maxEntities: Infinity });
  return { callId, acceptedAt: createdAt.getTime(), checked };
}
