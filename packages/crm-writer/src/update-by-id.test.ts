import type { CallResult, CrmRecord } from '@sluice/ports';
import { noFingerprints } from './fingerprints';
import type { UpdateAsk } from './record-asks';
import { testContext } from './test-support/test-context';
import { createUpdateById } from './update-by-id';

const request = { objectType: 'contacts', crmId: '7', properties: { firstname: 'Ada' } };
const record: CrmRecord = { id: '7', properties: {}, archived: false, createdAt: '', updatedAt: '' };

/** @param newer whether something newer than the unit has landed, by the store and at the moment of sending */
function lab(newer: { known: boolean; sending?: boolean }) {
  const [sent, noted]: [UpdateAsk[], unknown[]] = [[], []];
  const landed = {
    superseded: async () => newer.known,
    outdated: () => newer.sending ?? false,
    note: (_unit: unknown, written: unknown) => void noted.push(written),
  };
  const update = async (_type: string, ask: UpdateAsk): Promise<CallResult<CrmRecord>> => {
    if (ask.superseded?.()) return { ok: false, kind: 'permanent', code: 'superseded', message: 'newer' };
    sent.push(ask);
    return { ok: true, value: record };
  };
  return { sent, noted, run: createUpdateById({ landed, fingerprints: noFingerprints }, { update }) };
}

const superseded = { crm_id: '7', created: false, updated: false, skipped: true, reason: 'superseded' };

describe('an update by id', () => {
  it('notes that it landed, so that an older event knows', async () => {
    const { noted, run } = lab({ known: false });
    expect(await run(testContext(5n), request)).toMatchObject({ ok: true, value: { crm_id: '7', updated: true } });
    expect(noted).toEqual([{ objectType: 'contacts', crmId: '7' }]);
  });

  const newer = [{ known: true }, { known: false, sending: true }];
  it.each(newer)('of a guarded event gives way to a newer write: %j', async (facts) => {
    const { noted, run, sent } = lab(facts);
    expect(await run(testContext(5n, { guarded: true }), request)).toEqual({ ok: true, value: superseded });
    expect([sent, noted]).toEqual([[], []]);
  });

  it('of an event in turn asks nobody', async () => {
    const { run, sent } = lab({ known: true, sending: true });
    expect(await run(testContext(5n), request)).toMatchObject({ ok: true, value: { updated: true } });
    expect(sent).toHaveLength(1);
  });
});
