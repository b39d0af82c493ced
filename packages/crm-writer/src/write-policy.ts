import type { CallFailure, CallResult, CrmRecord, RecordWrite } from '@sluice/ports';
import type { WrittenRecord } from './landed-writes';
import type { RecordCalls } from './record-calls';
import type { UnitContext } from './unit-context';

/** A write that is about to be sent to a record which may exist. */
export interface WriteSubject {
  unit: UnitContext;
  write: RecordWrite;
  record: WrittenRecord;
}

/** What a policy says: `amend` lets the write go on with other properties. */
export type Verdict =
  | { kind: 'proceed' }
  | { kind: 'skip'; reason: string }
  | { kind: 'refuse'; failure: CallFailure }
  | { kind: 'amend'; properties: RecordWrite['properties'] };

/** One reason to change or stop a write. The policies of a write share one read of its record. */
export interface WritePolicy {
  /** The properties of the record that it compares; none: it judges without seeing the record, before the others. */
  reads(subject: WriteSubject): readonly string[];
  /** @param held the record as the CRM holds it; null: there is none, or nothing was to be read */
  judge(subject: WriteSubject, held: CrmRecord | null): Verdict | Promise<Verdict>;
  /** Asked at the moment of sending, after a wait for the batch: whether the write must be left out (code `superseded`). */
  overtaken?(subject: WriteSubject): (() => boolean) | null;
}

export const proceed: Verdict = { kind: 'proceed' };

/** What all policies together say of a write. `crmId` of the record that was read. */
export type Judgement =
  | { kind: 'skip'; reason: string; crmId: string | null }
  | { kind: 'refuse'; failure: CallFailure }
  | { kind: 'send'; write: RecordWrite; superseded?(): boolean };

/** Asks the policies in their order: first those that see nothing of the record, then, after one read, the others. */
export function createWriteJudge(policies: readonly WritePolicy[], calls: Pick<RecordCalls, 'read'>) {
  return async (subject: WriteSubject): Promise<Judgement> => {
    const asked = policies.map((policy) => ({ policy, reads: policy.reads(subject) }));
    const blind = await judgeAll(
      asked.filter(({ reads }) => reads.length === 0).map(({ policy }) => policy),
      subject,
      null,
    );
    const seeing = asked.filter(({ reads }) => reads.length > 0);
    if (blind.kind !== 'send' || seeing.length === 0) return blind;
    const properties = [...new Set(seeing.flatMap(({ reads }) => reads))];
    const held = await readHeld(calls, subject, properties);
    if (!held.ok) return { kind: 'refuse', failure: held };
    const judgement = await judgeAll(
      seeing.map(({ policy }) => policy),
      { ...subject, write: blind.write },
      held.value,
    );
    if (judgement.kind !== 'send') return judgement;
    const looks = [blind.superseded, judgement.superseded].filter((look) => look !== undefined);
    return { ...judgement, ...(looks.length > 0 && { superseded: () => looks.some((look) => look()) }) };
  };
}

async function judgeAll(policies: readonly WritePolicy[], given: WriteSubject, held: CrmRecord | null): Promise<Judgement> {
  let subject = given;
  const overtaken: (() => boolean)[] = [];
  for (const policy of policies) {
    const verdict = await policy.judge(subject, held);
    if (verdict.kind === 'skip') return { ...verdict, crmId: held?.id ?? null };
    if (verdict.kind === 'refuse') return verdict;
    if (verdict.kind === 'amend') subject = { ...subject, write: { ...subject.write, properties: verdict.properties } };
    const look = policy.overtaken?.(subject);
    if (look) overtaken.push(look);
  }
  const superseded = (): boolean => overtaken.some((look) => look());
  return { kind: 'send', write: subject.write, ...(overtaken.length > 0 && { superseded }) };
}

const readHeld = (
  calls: Pick<RecordCalls, 'read'>,
  { unit, record }: WriteSubject,
  properties: readonly string[],
): Promise<CallResult<CrmRecord | null>> => {
  const known = 'crmId' in record ? { property: null, value: record.crmId } : record;
  return calls.read(record.objectType, known.property, properties, { unit, value: known.value });
};
