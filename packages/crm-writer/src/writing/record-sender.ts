import type { CallFailure, CallResult, ClaimKey, CrmRecord, RecordWrite } from '@sluice/ports';
import { createConflictPolicy } from '../policies/conflict-policy';
import { createEchoPolicy, createFirstEchoPolicy, keepsWritten, keepWritten } from '../policies/echo-policy';
import { createCrmRecordReads } from '../policies/crm-record-reads';
import { identityGuard } from '../policies/identity-guard';
import { createMissingOptions, type MissingOptions } from './missing-options';
import { normalizeIdentity } from '../shared/normalize-identity';
import { createOneAtATime, type OneAtATime } from '../batching/one-at-a-time';
import type { PortalSession } from '../session/portal-session';
import type { UpdateRequest } from '../calls/record-requests';
import type { RecordCalls } from '../calls/record-calls';
import { resolveRecord } from '../finding/resolve-record';
import { createStaleGuard } from '../policies/stale-guard';
import { isValueTaken } from './value-holder';
import type { UnitContext } from '../shared/unit-context';
import type { WriteOutcome } from './upsert-state';
import { createWriteJudge, type Judgement, type WriteJudge, type WritePolicy, type WriteSubject } from '../policies/write-policy';
import type { WriterParts } from '../state/writer-parts';

/** The part of a call that follows from the policies. */
type Judged = Pick<UpdateRequest, 'unit' | 'properties' | 'superseded' | 'heard'>;
/** @param met the record that the policies read, when they changed the write */
type Send = (ask: Judged, met: string | null) => Promise<CallResult<CrmRecord>>;

/** Sends the writes of identified records. A write to a record that may exist first passes the write policies. */
export class RecordSender {
  private readonly options: MissingOptions;
  private readonly judge: WriteJudge;
  private readonly oneAtATime: OneAtATime;

  constructor(
    private readonly parts: WriterParts,
    private readonly session: PortalSession,
    private readonly calls: RecordCalls,
    policies: readonly WritePolicy[],
  ) {
    this.options = createMissingOptions(parts, session);
    this.judge = createWriteJudge(policies, createCrmRecordReads(session, parts.activity));
    this.oneAtATime = createOneAtATime(parts.activity);
  }

  /** Updates a known record. */
  update(unit: UnitContext, write: RecordWrite, crmId: string): Promise<WriteOutcome> {
    const { objectType } = write;
    const send: Send = (ask) => this.calls.update(objectType, { id: crmId, ...ask });
    const judged = (): Promise<WriteOutcome> => this.judged({ unit, write, record: { objectType, crmId } }, send);
    const outcome = unit.guarded ? this.aloneOnValue(write, judged) : judged();
    return outcome.then((known) => (isNotFound(known) ? { kind: 'gone' } : known));
  }

  /** Updates or creates the record of a value that the CRM keeps unique. */
  upsert(
    unit: UnitContext,
    write: RecordWrite,
    { property, value }: { property: string; value: string },
  ): Promise<WriteOutcome> {
    const { calls } = this;
    const { objectType } = write;
    // The CRM accepts a part of the properties in an update, not in an upsert by email.
    const send: Send = (ask, met) =>
      met === null
        ? calls.upsert(objectType, property, { identityValue: value, ...ask })
        : calls.update(objectType, { id: met, ...ask });
    const judged = (): Promise<WriteOutcome> => this.judged({ unit, write, record: { objectType, property, value } }, send);
    const outcome = this.aloneOnValue(write, judged);
    return outcome.then((known) => {
      if (isNotFound(known)) return { kind: 'failed', failure: goneMeanwhile };
      return known.kind === 'skipped' && known.crmId === null ? this.overtaken(unit, write, known) : known;
    });
  }

  /**
   * Creates the record of a value that the CRM keeps unique, if there is none. Nothing can be overwritten: the write policies are
   * not asked.
   */
  createNew(
    unit: UnitContext,
    write: RecordWrite,
    { property, value }: { property: string; value: string },
  ): Promise<WriteOutcome> {
    const { parts: { landed, removals }, calls } = this;
    const { objectType } = write;
    const superseded = (): boolean => landed.outdated(unit, { objectType, property, value }) || removals.outdated(unit, write);
    const heard = this.noting(unit, objectType);
    return this.aloneOnValue(write, async () => {
      const send = () =>
        calls.createNew(objectType, property, { unit, identityValue: value, properties: write.properties, superseded, heard });
      const outcome = outcomeOf(await this.options.writing(unit, write, send), null);
      if (keepsWritten(unit)) await this.keep(unit, write, outcome);
      return outcome;
    });
  }

  /**
   * A write by an identity value runs while no other does, nor a guarded write to a record that was found by it. Until the first
   * of them is answered nobody knows which record it has: the guarded one, which may be older, could land after it.
   */
  private aloneOnValue({ objectType, identityProperty: property, identityValue: value }: RecordWrite,
    work: () => Promise<WriteOutcome>):
    Promise<WriteOutcome> {
    if (property === null || value === null) return work();
    return this.oneAtATime(JSON.stringify([objectType, property, normalizeIdentity(property, value)]), work);
  }

  /** A write by value that was left out says which record it would have met. */
  private async overtaken(unit: UnitContext, write: RecordWrite, skipped: Skipped): Promise<WriteOutcome> {
    const record = await resolveRecord(this.parts, this.session, this.calls, unit, write);
    return { ...skipped, crmId: record.ok ? record.value : null };
  }

  /** @param sendBy after this time another event may have taken over the claim: then nothing is sent */
  async create(
    unit: UnitContext,
    write: RecordWrite,
    { claim, sendBy }: { claim: ClaimKey; sendBy: number },
  ): Promise<WriteOutcome> {
    const sender: UnitContext = { ...unit, owned: () => unit.owned() && this.parts.monotonicNow() <= sendBy };
    const { objectType, properties } = write;
    const superseded = (): boolean => this.parts.removals.outdated(unit, write);
    const heard = this.noting(unit, objectType);
    const ask = { unit: sender, identityValue: claim.value, properties, superseded, heard };
    const answer = await this.options.writing(sender, write, () => this.calls.create(objectType, claim.property, ask));
    // Not sent because the claim is too old: this runner still owns the partition.
    if (!answer.ok && answer.code === 'lease_lost' && unit.owned()) return { kind: 'too_late' };
    const outcome = outcomeOf(answer, null);
    if (keepsWritten(unit)) await this.keep(unit, write, outcome);
    return outcome;
  }

  /** Notes a write as soon as it is known, so that no guarded write that is older is sent after it. */
  private noting(unit: UnitContext, objectType: string): NonNullable<Judged['heard']> {
    return ({ id: crmId }) => this.parts.landed.note(unit, { objectType, crmId });
  }

  private async keep(unit: UnitContext, { objectType, properties }: RecordWrite, outcome: WriteOutcome): Promise<void> {
    if (outcome.kind === 'landed')
      await keepWritten(this.parts, unit, { objectType, crmId: outcome.crmId, properties });
  }

  private judged(subject: WriteSubject, send: Send): Promise<WriteOutcome> {
    const judgement = this.judge(subject);
    return judgement instanceof Promise
      ? judgement.then((made) => this.carryOut(subject, made, send))
      : this.carryOut(subject, judgement, send);
  }

  private async carryOut(subject: WriteSubject, judgement: Judgement, send: Send): Promise<WriteOutcome> {
    const crmId = 'crmId' in subject.record ? subject.record.crmId : null;
    if (judgement.kind === 'refuse') return { kind: 'failed', failure: judgement.failure };
    if (judgement.kind === 'skip') {
      const known = crmId ?? judgement.crmId;
      if (known !== null) judgement.landed(known);
      return { kind: 'skipped', crmId: known, reason: judgement.reason };
    }
    const { unit } = subject;
    const { write, superseded, amended } = judgement;
    const ask: Judged = { unit, properties: write.properties, superseded, heard: this.noting(unit, write.objectType) };
    const met = amended ? judgement.crmId : null;
    const outcome = outcomeOf(await this.options.writing(unit, write, () => send(ask, met)), crmId);
    if (outcome.kind === 'landed') judgement.landed(outcome.crmId);
    if (keepsWritten(unit)) await this.keep(unit, write, outcome);
    return outcome;
  }
}

/** The sends of a portal, with the policies for every write to an existing record. */
export function createRecordSends(parts: WriterParts, session: PortalSession, calls: RecordCalls): RecordSender {
  const conflicts = createConflictPolicy(session, parts.tokenApp, parts.storeNow);
  const { fingerprints } = parts;
  const echoes = [createEchoPolicy(fingerprints), createFirstEchoPolicy(fingerprints)];
  const policies = [createStaleGuard(parts), ...echoes, conflicts, identityGuard];
  return new RecordSender(parts, session, calls, policies);
}

type Skipped = Extract<WriteOutcome, { kind: 'skipped' }>;

const isNotFound = (outcome: WriteOutcome): boolean => outcome.kind === 'failed' && outcome.failure.code === 'crm_not_found';

const goneMeanwhile: CallFailure = {
  ok: false,
  kind: 'transient',
  code: 'crm_search_stale',
  message: 'the record found by its identity value is gone',
};

function outcomeOf(answer: Awaited<ReturnType<Send>>, crmId: string | null): WriteOutcome {
  if (answer.ok) return { kind: 'landed', crmId: answer.value.id, isNew: answer.value.isNew ?? false };
  if (answer.code === 'superseded') return { kind: 'skipped', crmId, reason: 'superseded' };
  return isValueTaken(answer) ? { kind: 'taken', refusal: answer } : { kind: 'failed', failure: answer };
}
