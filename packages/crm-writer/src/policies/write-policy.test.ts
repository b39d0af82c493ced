import type { CrmRecord, RecordWrite } from '@sluice/ports';
import { testContext } from '../test-support/test-context';
import type { CrmRecordReads } from './crm-record-reads';
import { identityGuard } from './identity-guard';
import { createWriteJudge, proceed, type Verdict, type WritePolicy } from './write-policy';

const write: RecordWrite = {
  entity: 'person',
  externalId: 'A1',
  objectType: 'contacts',
  properties: { city: 'Rome', phone: '1' },
  identityProperty: 'email',
  identityValue: 'a@example.com',
  onTargetDeleted: 'skip',
};
const subject = { unit: testContext(1n), write, record: { objectType: 'contacts', crmId: '7' } };
const policy = (properties: string[], verdict: Verdict): WritePolicy => ({
  concerns: () => true,
  ...(properties.length > 0 && { reads: () => ({ properties }) }),
  judge: () => verdict,
});
/** Returns record 7, whose city is Bonn, and counts the reads. */
function crm() {
  const asked: unknown[] = [];
  const read: CrmRecordReads['read'] = ({ record, properties }) => {
    asked.push([record, properties]);
    return Promise.resolve({ ok: true, value: { id: '7', properties: { city: 'Bonn' } } as unknown as CrmRecord });
  };
  return { asked, read };
}

describe('write policies', () => {
  it('share one read of the record', async () => {
    const calls = crm();
    const judge = createWriteJudge([policy(['city'], proceed), policy([], proceed), policy(['phone', 'city'], proceed)], calls);
    expect(await judge(subject)).toMatchObject({ kind: 'send', write });
    expect(calls.asked).toEqual([[{ objectType: 'contacts', crmId: '7' }, ['city', 'phone']]]);
  });

  it('read nothing when a policy without a read has stopped the write', async () => {
    const calls = crm();
    const judge = createWriteJudge([policy(['city'], proceed), policy([], { kind: 'skip', reason: 'superseded' })], calls);
    expect(await judge(subject)).toMatchObject({ kind: 'skip', reason: 'superseded', crmId: null });
    expect(calls.asked).toEqual([]);
  });

  it('are not asked about a write that does not concern them; if it concerns no policy, the answer is synchronous', () => {
    const refusing = policy(['city'], { kind: 'skip', reason: 'superseded' });
    const calls = crm();
    const judge = createWriteJudge([{ ...refusing, concerns: ({ write }) => write.entity !== 'person' }], calls);
    expect(judge(subject)).toMatchObject({ kind: 'send', write, amended: false, crmId: null });
    expect(calls.asked).toEqual([]);
  });

  it('each see the write as the policy before has changed it', async () => {
    const seen: unknown[] = [];
    const last: WritePolicy = {
      concerns: () => true,
      reads: () => ({ properties: ['city'] }),
      judge: ({ write: { properties } }) => (seen.push(properties), proceed),
    };
    const judge = createWriteJudge([policy(['city'], { kind: 'amend', properties: { phone: '1' } }), last], crm());
    expect(await judge(subject)).toMatchObject({ kind: 'send', write: { properties: { phone: '1' } } });
    expect(seen).toEqual([{ phone: '1' }]);
  });

  it('leave a write out when it is sent if one of them says so', async () => {
    const overtaken = (answer: boolean): WritePolicy => ({ ...policy([], proceed), overtaken: () => () => answer });
    const judgement = await createWriteJudge([overtaken(false), overtaken(true), identityGuard], crm())(subject);
    expect(judgement.kind === 'send' && judgement.superseded?.()).toBe(true);
  });
});
