import type { CallFailure, CallResult, CrmRecord, OutcomeReason, RecordWrite } from '@sluice/ports';
import type { CrmRecordReads } from './crm-record-reads';
import type { WrittenRecord } from '../state/latest-writes';
import type { UnitContext } from '../shared/unit-context';

/** A write to a record that may exist, before it is sent. */
export interface WriteSubject {
  unit: UnitContext;
  write: RecordWrite;
  record: WrittenRecord;
}

/** Called after the write with the record that it wrote, or that needed no write. */
interface Told {
  landed?: ((crmId: string) => void) | undefined;
}

/** The verdict of a policy: `amend` continues the write with other properties. */
export type Verdict =
  | ({ kind: 'proceed' } & Told)
  | ({ kind: 'skip'; reason: OutcomeReason } & Told)
  | { kind: 'refuse'; failure: CallFailure }
  | ({ kind: 'amend'; properties: RecordWrite['properties'] } & Told);

/** The properties of the record that a policy needs. */
export interface PolicyReads {
  properties: readonly string[];
  /** Properties whose last change it needs. */
  changes?: readonly string[];
}

/** One reason to change or stop a write. The policies of a write share one read of its record. */
export interface WritePolicy {
  /** Whether the policy applies to the write at all. Most writes concern no policy. */
  concerns(subject: WriteSubject): boolean;
  /** Absent: it judges without the record, before the others. */
  reads?(subject: WriteSubject): PolicyReads;
  /** @param current the record as read from the CRM; null: there is none, or nothing had to be read */
  judge(subject: WriteSubject, current: CrmRecord | null): Verdict | Promise<Verdict>;
  /** Checked when the batch is sent: whether the write must be left out (code `superseded`). */
  overtaken?(subject: WriteSubject): (() => boolean) | null;
}

export const proceed = { kind: 'proceed' } as const satisfies Verdict;

/** The verdict of all policies together. `crmId`: of the record that was read. */
export type Judgement =
  | { kind: 'refuse'; failure: CallFailure }
  | { kind: 'skip'; reason: OutcomeReason; crmId: string | null; landed(crmId: string): void }
  | {
      kind: 'send';
      write: RecordWrite;
      amended: boolean;
      crmId: string | null;
      superseded?: (() => boolean) | undefined;
      landed(crmId: string): void;
    };

/** Synchronous if no policy concerns the write. */
export type WriteJudge = (subject: WriteSubject) => Judgement | Promise<Judgement>;

/**
 * Applies the policies that concern a write in their order: first those that do not need the record, then, after one read, the
 * others.
 */
export function createWriteJudge(policies: readonly WritePolicy[], records: CrmRecordReads): WriteJudge {
  const judge = async (subject: WriteSubject): Promise<Judgement> => {
    const concerned = policies.filter((policy) => policy.concerns(subject));
    const blind = concerned.filter(({ reads }) => !reads);
    const seeing = concerned.filter(({ reads }) => reads);
    const round = new JudgingRound(subject);
    const stopped = await round.ask(blind, null);
    if (stopped) return stopped;
    if (seeing.length === 0) return round.send(null);
    const current = await readCurrent(
      records,
      subject,
      seeing.map(({ reads }) => reads!(subject)),
    );
    if (!current.ok) return { kind: 'refuse', failure: current };
    return (await round.ask(seeing, current.value)) ?? round.send(current.value);
  };
  return (subject) => (policies.some((policy) => policy.concerns(subject)) ? judge(subject) : asItIs(subject));
}

const asItIs = ({ write }: WriteSubject): Judgement => ({
  kind: 'send', write, amended: false, crmId: null, superseded: undefined, landed: () => undefined,
});

/** One write that passes the policies: each sees the write as the policies before have changed it. */
class JudgingRound {
  private readonly overtaken: (() => boolean)[] = [];
  private readonly told: ((crmId: string) => void)[] = [];
  private amended = false;

  constructor(private subject: WriteSubject) {}

  /** The verdict that stops the write; null: none does. */
  async ask(policies: readonly WritePolicy[], current: CrmRecord | null): Promise<Judgement | null> {
    for (const policy of policies) {
      const judged = policy.judge(this.subject, current);
      const verdict = judged instanceof Promise ? await judged : judged;
      if (verdict.kind === 'refuse') return verdict;
      if (verdict.landed) this.told.push(verdict.landed);
      if (verdict.kind === 'skip') return { kind: 'skip', reason: verdict.reason, crmId: current?.id ?? null,
        landed: this.landed };
      if (verdict.kind === 'amend') {
        const write = { ...this.subject.write, properties: verdict.properties };
        this.subject = { ...this.subject, write };
        this.amended = true;
      }
      const look = policy.overtaken?.(this.subject);
      if (look) this.overtaken.push(look);
    }
    return null;
  }

  send(current: CrmRecord | null): Judgement {
    const { overtaken, landed, amended, subject } = this;
    const superseded = overtaken.length > 0 ? (): boolean => overtaken.some((look) => look()) : undefined;
    return { kind: 'send', write: subject.write, amended, crmId: current?.id ?? null, superseded, landed };
  }

  private readonly landed = (crmId: string): void => this.told.forEach((tell) => tell(crmId));
}

const readCurrent = (
  records: CrmRecordReads,
  { unit, record }: WriteSubject,
  reads: readonly PolicyReads[],
): Promise<CallResult<CrmRecord | null>> =>
  records.read({
    unit,
    record,
    properties: [...new Set(reads.flatMap(({ properties }) => properties))],
    changes: [...new Set(reads.flatMap(({ changes = [] }) => changes))],
  });
