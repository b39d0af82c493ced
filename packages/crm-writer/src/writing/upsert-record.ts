import type { CallFailure, CallResult, Mapping, RecordWrite, RecordWriteResult } from '@sluice/ports';
import { decideUpsert } from './decide-upsert';
import { createFindByIdentity, type FindByIdentity } from '../finding/find-by-identity';
import type { TimedClaim } from '../state/identity-claims';
import { NewRecords } from '../policies/new-records';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import { createRecordSends, type RecordSender } from './record-sender';
import { createFindValueHolder } from './value-holder';
import type { UnitContext } from '../shared/unit-context';
import { wasMadeBy } from './was-made-by';
import {
  recreating, startUpsert, triedAsNew, workingAlone, type UpsertDecision, type UpsertNote, type UpsertState, type WriteOutcome,
} from './upsert-state';
import type { WriterParts } from '../state/writer-parts';

type Answer = CallResult<RecordWriteResult>;
/** A decision that writes. */
type Sending = Extract<UpsertDecision, { kind: 'update' | 'upsert' | 'create-new' | 'create' }>;
type Decided<K extends UpsertDecision['kind']> = Extract<UpsertDecision, { kind: K }>;

/** How long a create waits for another event's pending claim before its event is held, and how often it checks. */
const claimPatienceMs = 3_000;
const claimLookMs = 200;

/** Writes of a record that its entity identifies. Every path ends in at most one written record per identity value. */
export interface UpsertRecord {
  upsert(unit: UnitContext, write: RecordWrite): Promise<Answer>;
  /** Never creates: see CrmUpdates. */
  update(unit: UnitContext, write: RecordWrite): Promise<Answer>;
}

/** Makes the calls that `decideUpsert` decides, and passes the answers back to it, until a decision ends the write. */
export function createUpsertRecord(
  parts: WriterParts,
  session: PortalSession,
  calls: RecordCalls,
  sends = createRecordSends(parts, session, calls),
): UpsertRecord {
  const findByIdentity = createFindByIdentity(parts, session, calls);
  const tools: UpsertTools = { parts, session, calls, findByIdentity, ownRecord: createFindValueHolder(findByIdentity, calls),
    sends, newRecords: new NewRecords(parts.expectsNewRecords) };
  const { portalId } = session;
  const start =
    (mode: UpsertState['mode']): UpsertRecord[typeof mode] =>
    (unit, write) => {
      const createsFirst = tools.newRecords.expects(unit, write) ? 'yes' : 'no';
      const { guarded } = unit;
      return new UpsertRun(unit, tools).to(startUpsert({ mode, write, guarded, createsFirst, portalId,
        times: parts.claimTimes }));
    };
  return { upsert: start('upsert'), update: start('update') };
}

interface UpsertTools {
  parts: WriterParts;
  session: PortalSession;
  calls: RecordCalls;
  findByIdentity: FindByIdentity;
  ownRecord: ReturnType<typeof createFindValueHolder>;
  sends: RecordSender;
  newRecords: NewRecords;
}

/** One write of one unit, from decision to decision. */
class UpsertRun {
  constructor(
    private readonly unit: UnitContext,
    private readonly tools: UpsertTools,
  ) {}

  async to(start: UpsertState): Promise<Answer> {
    let state = start;
    for (;;) {
      const decision = decideUpsert(state);
      for (const note of decision.notes ?? []) this.note(state.write, note);
      if (decision.kind === 'end') return decision.answer;
      if (decision.kind === 'work-alone')
        return this.tools.parts.claims.alone(decision.claim, () => this.to(workingAlone(state)));
      const learned = decision.kind === 'recreate' ? recreating(state) : this.learn(state, decision);
      const next = learned instanceof Promise ? await learned : learned;
      if ('ok' in next) return next;
      state = next;
    }
  }

  /** The state with the answer to a decision's call, at once if it is known; or the call's failure. */
  private learn(
    state: UpsertState,
    decision: Exclude<UpsertDecision, { kind: 'end' | 'work-alone' | 'recreate' }>,
  ): Learned | Promise<Learned> {
    const { unit } = this;
    const { parts, session, calls, findByIdentity, ownRecord } = this.tools;
    const { write } = state;
    switch (decision.kind) {
      case 'find-mapping': {
        const mapping = parts.mappings.find(unit, write.entity, write.externalId!);
        const led = (found: Mapping | null): UpsertState => ({ ...state, mapped: found?.crmId ?? null });
        return mapping instanceof Promise ? mapping.then(led) : led(mapping);
      }
      case 'is-unique': {
        const answer = parts.catalog.isUnique(session, write.objectType, decision.property);
        return known(answer, (unique) => ({ ...state, unique }));
      }
      case 'find-by-identity':
        return known(findByIdentity(unit, write), (record) => this.found(state, record?.id ?? null));
      case 'was-made': {
        const { objectType, properties } = write;
        const read = calls.read(objectType, null, Object.keys(properties), { unit, value: decision.crmId });
        return known(read, (record) => ({ ...state, made: record !== null && wasMadeBy(write, record, write.unansweredSince!) }));
      }
      case 'search': {
        const { property, value } = decision.claim;
        const records = calls.search(write.objectType, property, [], { unit, value });
        return known(records, ([record]) => ({ ...state, found: record?.id ?? null }));
      }
      case 'find-own':
        return known(ownRecord(unit, write, decision.refusal), (own) => ({ ...state, own }));
      case 'claim':
        return this.claim(decision).then((claim) => ({ ...state, claim }));
      case 'was-deleted':
        return parts.removals.superseded(unit, write).then((deletedLater) => ({ ...state, deletedLater }));
      case 'update':
      case 'upsert':
      case 'create-new':
      case 'create':
        return this.send(state, decision);
    }
  }

  /** Sends a write, and notes what came of it. */
  private async send(state: UpsertState, decision: Sending): Promise<UpsertState> {
    const { unit, tools: { sends } } = this;
    const { write } = state;
    switch (decision.kind) {
      case 'update':
        return { ...state, tried: { how: 'update', outcome: await sends.update(unit, write, decision.crmId), ...decision } };
      case 'upsert':
        return { ...state, tried: { how: 'upsert', outcome: await sends.upsert(unit, write, decision), ...decision } };
      case 'create-new':
        return this.createdFirst(state, decision, await sends.createNew(unit, write, decision));
      case 'create':
        return { ...state, tried: { how: 'create', outcome: await sends.create(unit, write, decision), ...decision } };
    }
  }

  private found(state: UpsertState, found: string | null): UpsertState {
    if (state.createsFirst === 'no' && state.mode === 'upsert') this.tools.newRecords.met(this.unit, state.write, found === null);
    return { ...state, found };
  }

  private createdFirst(state: UpsertState, decision: Decided<'create-new'>, outcome: WriteOutcome): UpsertState {
    const next = triedAsNew(state, { how: 'create-new', outcome, ...decision });
    const landed = outcome.kind === 'landed';
    if (landed || next.createsFirst === 'refused') this.tools.newRecords.met(this.unit, state.write, landed);
    return next;
  }

  /** Waits for another event's pending claim, up to a limit. */
  private async claim({ claim }: Decided<'claim'>): Promise<TimedClaim> {
    const { activity, claims, monotonicNow, sleep } = this.tools.parts;
    const deadline = monotonicNow() + claimPatienceMs;
    for (;;) {
      const answer = await claims.claim(this.unit, claim);
      if (answer.state !== 'pending' || monotonicNow() >= deadline) return answer;
      await activity.waiting(sleep(claimLookMs));
    }
  }

  private note({ entity, externalId, objectType }: RecordWrite, note: UpsertNote): void {
    const {
      unit,
      tools: {
        parts: { landed, mappings },
      },
    } = this;
    switch (note.kind) {
      case 'saved':
        if (externalId === null) return landed.noteUnmapped(unit, { objectType, crmId: note.crmId });
        landed.note(unit, { objectType, crmId: note.crmId });
        return mappings.save(unit, { entity, externalId, objectType, crmId: note.crmId }, true);
      case 'landed-by-value':
        return landed.note(unit, { objectType, property: note.property, value: note.value });
      case 'mapping-forgotten':
        return externalId === null ? undefined : mappings.forget(unit, entity, externalId);
      case 'claim-done':
        return void unit.effects.claimsDone.push({ crmId: note.crmId, ...note.claim });
      case 'claim-released':
        return void unit.effects.claimsReleased.push(
          note.crmId === undefined ? note.claim : { crmId: note.crmId, ...note.claim },
        );
    }
  }
}

type Learned = UpsertState | CallFailure;

function known<T>(
  asked: CallResult<T> | Promise<CallResult<T>>,
  then: (value: T) => UpsertState,
): Learned | Promise<Learned> {
  const learn = (answer: CallResult<T>): Learned => (answer.ok ? then(answer.value) : answer);
  return asked instanceof Promise ? asked.then(learn) : learn(asked);
}
