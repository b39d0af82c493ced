import { functionBounds } from '@sluice/ports';
import type { FromChild } from '../wire/messages';
import { createEngine } from './engine';
import { GuestRunner } from './guest-runner';

const nothing = Buffer.alloc(0);

describe('the runner of functions in a child', () => {
  it('warms its engine up without a word to the service, and runs the first function of an organization afterwards', async () => {
    const sent: { message: FromChild; body: string }[] = [];
    const runner = new GuestRunner(createEngine(), functionBounds, (message, body) =>
      sent.push({ message, body: Buffer.from(body ?? nothing).toString('utf8') }));
    await runner.openBlank();
    await runner.take({ t: 'warm' }, nothing);
    expect(sent).toEqual([]);
    const code = 'exports.handler = async (payload) => ({ payload, known: typeof known, row: typeof Row });';
    await runner.take({ t: 'code', key: 'first' }, Buffer.from(code));
    await runner.take({ t: 'run', id: 1, key: 'first' }, Buffer.from('{"n":1}'));
    expect(sent.map(({ message: { t } }) => t)).toEqual(['loaded', 'returned']);
    expect(sent[1]).toMatchObject({ message: { logs: [], dropped: 0 } });
    expect(JSON.parse(sent[1]!.body)).toEqual({ payload: { n: 1 }, known: 'undefined', row: 'undefined' });
  });
});
