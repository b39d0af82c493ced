import { callFailure, type ClaimKey, type CrmRecord, type RecordWrite } from '@sluice/ports';
import type { RecordCalls } from '../calls/record-calls';
import type { FindByIdentity } from '../finding/find-by-identity';
import { keepWritten } from '../policies/echo-policy';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';
import type { TimedClaim } from '../state/identity-claims';
import type { WriterParts } from '../state/writer-parts';
import { type CreateAnswer, made, skipped } from './create-answers';
import type { MissingOptions } from './missing-options';
import { type createFindValueHolder, isValueTaken, valueTakenFailure } from './value-holder';
import { wasMadeBy } from './was-made-by';

type Answered<State extends TimedClaim['state']> = Extract<TimedClaim, { state: State }>;

export interface CreateTools {
  parts: WriterParts;
  session: PortalSession;
  calls: RecordCalls;
  options: MissingOptions;
  findByIdentity: FindByIdentity;
  findValueHolder: ReturnType<typeof createFindValueHolder>;
}

/** How long a create waits for another event's pending claim before its event is held, and how often it checks. */
const claimPatienceMs = 3_000;
const claimLookMs = 200;
/** How soon an event is tried again whose old claim led to no record. */
const renewAfterMs = 50;

/**
 * One create of one unit, under the claim of its identity value (ADR 0007).
 *
 * Invariants:
 * - A create is sent only under a claim of this event, before its `sendBy`, after a search for the identity value unless the CRM
 *   keeps the property unique.
 * - The claim ends done when its record is known and released when it led to none. It stays while the outcome of a create is
 *   unknown: then the next attempt finds out.
 * - A record that this event did not make is not changed.
 */
export class ClaimedCreate {
  constructor(
    private readonly unit: UnitContext,
    private readonly write: RecordWrite,
    private readonly claim: ClaimKey,
    private readonly tools: CreateTools,
  ) {}

  async run(): Promise<CreateAnswer> {
    const { parts } = this.tools;
    const deadline = parts.monotonicNow() + claimPatienceMs;
    for (;;) {
      const answer = await parts.claims.claim(this.unit, this.claim);
      if (answer.state === 'own') return this.resolveOwn(answer);
      if (answer.state === 'granted' || answer.state === 'taken_over') return this.searchAndSend(answer);
      if (answer.state === 'done') return this.readDone(answer);
      if (parts.monotonicNow() >= deadline)
        return callFailure('transient', 'identity_claimed', 'another event is creating this record');
      await parts.activity.waiting(parts.sleep(claimLookMs));
    }
  }

  /** An earlier attempt of this event claimed, and its create may have taken effect. */
  private async resolveOwn({ ageMs, claimedAt, sendBy }: Answered<'own'>): Promise<CreateAnswer> {
    const { parts, findByIdentity } = this.tools;
    const found = await findByIdentity(this.unit, this.write);
    if (!found.ok) return found;
    if (found.value) return this.mapIfOwn(found.value.id, claimedAt);
    const unique = await this.isUnique();
    if (!unique.ok) return unique;
    // The CRM itself refuses a second record.
    if (unique.value) return this.send(sendBy, claimedAt);
    const { searchLagMs, landsWithinMs } = parts.claimTimes;
    const next = ageMs < searchLagMs ? searchLagMs : searchLagMs + landsWithinMs;
    if (ageMs < next)
      return callFailure(
        'transient',
        'identity_unresolved',
        "an earlier attempt may have created this record; the CRM's search does not show it yet",
        next - ageMs,
      );
    return this.claimAnew('an earlier attempt did not create this record; it is claimed anew');
  }

  /** A new claim of our own, or one that was taken over from a former owner. */
  private async searchAndSend({ sendBy }: TimedClaim): Promise<CreateAnswer> {
    const unique = await this.isUnique();
    if (!unique.ok) return unique;
    if (!unique.value) {
      const found = await this.tools.findByIdentity(this.unit, this.write);
      if (!found.ok) return found;
      if (found.value) return this.leave(found.value.id);
    }
    return this.send(sendBy, null);
  }

  /** Another event has created the record. */
  private async readDone({ crmId }: Answered<'done'>): Promise<CreateAnswer> {
    const read = await this.tools.calls.read(this.write.objectType, null, [], { unit: this.unit, value: crmId });
    if (!read.ok) return read;
    if (read.value) return skipped(read.value.id, 'already_exists');
    return this.claimAnew('the record that was claimed is gone; it is claimed anew', crmId);
  }

  /**
   * @param claimedAt when an earlier attempt claimed, whose create may have taken effect meanwhile; null: there was none
   */
  private async send(sendBy: number, claimedAt: number | null): Promise<CreateAnswer> {
    const { unit, write, claim } = this;
    const { parts } = this.tools;
    if (await parts.removals.superseded(unit, write)) return this.deletedMeanwhile();
    const answer = await this.callCreate(sendBy);
    if (answer.ok) {
      const { objectType, properties } = write;
      await keepWritten(parts, unit, { objectType, crmId: answer.value.id, properties });
      return made(parts, unit, write, claim, answer.value.id);
    }
    if (answer.code === 'superseded') return this.deletedMeanwhile();
    if (answer.code === 'lease_lost' && unit.owned())
      return this.claimAnew('the create waited too long after its claim; it is claimed anew');
    // A permanent refusal created nothing. After an unknown outcome the claim stays and is resolved later.
    if (answer.kind === 'permanent') unit.effects.claimsReleased.push(claim);
    if (!isValueTaken(answer)) return answer;
    const holder = await this.tools.findValueHolder(unit, write, answer);
    if (!holder.ok) return holder;
    if (holder.value === null) return valueTakenFailure(answer);
    return claimedAt === null ? this.leave(holder.value) : this.mapIfOwn(holder.value, claimedAt);
  }

  private callCreate(sendBy: number): ReturnType<RecordCalls['create']> {
    const { unit, write, claim } = this;
    const { parts, calls, options } = this.tools;
    const { objectType, properties } = write;
    // After a long wait in the queue another event may have taken over the claim: then nothing is sent.
    const sender: UnitContext = { ...unit, owned: () => unit.owned() && parts.monotonicNow() <= sendBy };
    const superseded = (): boolean => parts.removals.outdated(unit, write);
    const heard = ({ id: crmId }: CrmRecord): void => parts.landed.note(unit, { objectType, crmId });
    const ask = { unit: sender, identityValue: claim.value, properties, superseded, heard };
    return options.writing(sender, write, () => calls.create(objectType, claim.property, ask));
  }

  /**
   * A record was found under the claim of an earlier attempt: either this event made it, then it is mapped, or others did, then
   * it is not changed.
   */
  private async mapIfOwn(crmId: string, claimedAt: number): Promise<CreateAnswer> {
    const { unit, write, claim } = this;
    const { parts, calls } = this.tools;
    const read = await calls.read(write.objectType, null, Object.keys(write.properties), { unit, value: crmId });
    if (!read.ok) return read;
    const { value: record } = read;
    if (!record) return callFailure('transient', 'crm_search_stale', 'the record found by its identity value is gone');
    return wasMadeBy(write, record, claimedAt) ? made(parts, unit, write, claim, record.id) : this.leave(record.id);
  }

  /** The record was there before: it is not changed. */
  private leave(crmId: string): CreateAnswer {
    this.unit.effects.claimsDone.push({ crmId, ...this.claim });
    return skipped(crmId, 'already_exists');
  }

  /** A newer event deleted the record while this one waited. */
  private deletedMeanwhile(): CreateAnswer {
    this.unit.effects.claimsReleased.push(this.claim);
    return skipped(null, 'superseded');
  }

  private claimAnew(message: string, crmId?: string): CreateAnswer {
    const { unit, claim } = this;
    unit.effects.claimsReleased.push(crmId === undefined ? claim : { crmId, ...claim });
    return callFailure('transient', 'identity_claim_renewed', message, renewAfterMs);
  }

  private isUnique(): ReturnType<WriterParts['catalog']['isUnique']> {
    const { parts, session } = this.tools;
    return parts.catalog.isUnique(session, this.write.objectType, this.claim.property);
  }
}
