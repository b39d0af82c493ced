import { randomUUID } from 'node:crypto';
import type { AssistantProposal, AssistantStore, BegunTurn } from '../../assistant-store';

/** What the suite needs of an implementation. */
export interface AssistantStoreLab {
  store: AssistantStore;
  /** The same data, as another process has it. */
  other: AssistantStore;
  close(): Promise<void>;
}

/** Milliseconds: a lease that holds for the whole suite, and one that is over at once. */
const [long, over, anHour] = [3_600_000, -1, 3_600_000];

/** Behaviour of every store of conversations with the assistant. */
export function assistantStoreConformance(name: string, open: () => Promise<AssistantStoreLab>): void {
  describe(`${name} is a store of conversations`, () => {
    let lab: AssistantStoreLab;
    beforeAll(async () => { lab = await open(); });
    afterAll(() => lab.close());

    const text = (words: string) => ({ event: 'text', data: { text: words } });
    const done = { reason: 'end', usage: { input_tokens: 1, output_tokens: 2 } };
    const aProposal = (): Omit<AssistantProposal, 'status'> =>
      ({ id: randomUUID(), summary: 'A note', patch: { settings: { note: 'a' } }, baseVersion: 3, hash: 'h',
        changes: ['new host: a'] });

    async function aSession(organizationId = randomUUID(), perDay: number | null = null) {
      const connectorId = randomUUID();
      const created = await lab.store.create({ organizationId, connectorId, userEmail: 'ada@shop.example', perDay });
      if (!created.ok) throw new Error('no session was opened');
      return { organizationId, connectorId, id: created.session.id, session: created.session };
    }
    async function aTurn(leaseMs = long, holder: string = randomUUID()) {
      const session = await aSession();
      const begin = () => lab.store.beginTurn(
        { connectorId: session.connectorId, sessionId: session.id, content: 'Hi', holder, leaseMs });
      const begun = await begin();
      if (!begun.ok) throw new Error(begun.reason);
      return { ...session, begin, turn: begun.turn as BegunTurn };
    }

    it('opens sessions, and lists those of a connector, newest first', async () => {
      const { connectorId, id, session } = await aSession();
      expect(session).toEqual({ id, status: 'open', createdAt: expect.any(Date), toolCalls: 0 });
      expect(await lab.other.get(connectorId, id)).toEqual(session);
      expect([await lab.store.get(randomUUID(), id), await lab.store.get(connectorId, 'nothing')]).toEqual([null, null]);
      expect(await lab.store.list(connectorId, { limit: 10, offset: 0 })).toEqual({ items: [session], total: 1 });
      expect(await lab.store.list(connectorId, { limit: 10, offset: 1 })).toEqual({ items: [], total: 1 });
    });

    it('lets parallel calls open no more sessions a day than allowed', async () => {
      const organizationId = randomUUID();
      const open = (on: AssistantStore) =>
        on.create({ organizationId, connectorId: randomUUID(), userEmail: null, perDay: 3 });
      const opened = await Promise.all(Array.from({ length: 8 }, (_, nth) => open(nth % 2 === 0 ? lab.store : lab.other)));
      expect(opened.filter(({ ok }) => ok).length).toBe(3);
      expect(await open(lab.store)).toEqual({ ok: false, usage: 3 });
    });

    it('gives a session to one turn at a time', async () => {
      const { connectorId, id, begin, turn } = await aTurn();
      expect(turn).toMatchObject({ sessionId: id, after: 0, toolCalls: 0, history: [] });
      expect(await begin()).toEqual({ ok: false, reason: 'busy' });
      expect(await lab.other.get(connectorId, id)).toMatchObject({ status: 'busy' });
      await lab.store.endTurn(turn, { done, content: 'Hello.' });
      const again = await begin();
      expect(again).toMatchObject({ ok: true, turn: { after: 1,
        history: [{ role: 'assistant', content: 'Hello.' }, { content: 'Hi' }] } });
      const unknown = { sessionId: id, content: 'x', holder: 'h', leaseMs: long };
      expect(await lab.store.beginTurn({ ...unknown, connectorId: randomUUID() })).toEqual({ ok: false, reason: 'unknown' });
    });

    it('keeps events in their order, for those who ask from a number on', async () => {
      const { id, turn } = await aTurn();
      expect(await lab.store.addEvents(turn, [text('a'), text('b')])).toBe(true);
      expect(await lab.other.events(id, null, 10)).toEqual({ items: [{ seq: 1, ...text('a') }, { seq: 2, ...text('b') }],
        busy: true });
      await lab.store.endTurn(turn, { done, content: 'ab' });
      expect(await lab.store.events(id, 1, 1)).toEqual({ items: [{ seq: 2, ...text('b') }], busy: false });
      expect((await lab.store.events(id, 2, 10)).items).toEqual([{ seq: 3, event: 'done', data: done }]);
      expect((await lab.store.contents(id)).messages).toMatchObject([{ role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'ab' }]);
      expect(await lab.store.events(randomUUID(), null, 10)).toEqual({ items: [], busy: false });
    });

    it('ends a turn whose lease is over with what it had said; it writes nothing more', async () => {
      const { id, begin, turn } = await aTurn(over);
      await lab.store.addEvents(turn, [text('half')]);
      const { items, busy } = await lab.other.events(id, null, 10);
      expect([items.map(({ event }) => event), busy]).toEqual([['text', 'done'], false]);
      expect(items[1]!.data).toMatchObject({ reason: 'model_error' });
      expect(await lab.store.addEvents(turn, [text('late')])).toBe(false);
      expect(await lab.store.renewTurn(turn, long)).toBe(false);
      expect(await lab.store.countToolCall(turn, null)).toBe('lost');
      await lab.store.endTurn(turn, { done, content: 'late' });
      expect((await lab.store.contents(id)).messages.map(({ content }) => content)).toEqual(['Hi', 'half']);
      expect(await begin()).toMatchObject({ ok: true });
    });

    it('a lease that is renewed holds; what an earlier life of a process has left is ended', async () => {
      const holder = randomUUID();
      const { connectorId, id, turn } = await aTurn(over, holder);
      expect(await lab.store.renewTurn(turn, long)).toBe(true);
      expect(await lab.store.get(connectorId, id)).toMatchObject({ status: 'busy' });
      await lab.other.endTurnsOf(randomUUID());
      expect(await lab.store.get(connectorId, id)).toMatchObject({ status: 'busy' });
      await lab.other.endTurnsOf(holder);
      expect(await lab.store.get(connectorId, id)).toMatchObject({ status: 'open' });
    });

    it('counts tool calls up to the limit, also of calls in parallel', async () => {
      const { connectorId, id, turn } = await aTurn();
      const counted = await Promise.all(Array.from({ length: 5 }, () => lab.store.countToolCall(turn, 3)));
      expect(counted.sort()).toEqual(['counted', 'counted', 'counted', 'limit', 'limit']);
      expect(await lab.store.countToolCall(turn, null)).toBe('counted');
      expect(await lab.store.get(connectorId, id)).toMatchObject({ toolCalls: 4 });
    });

    it('keeps proposals with their session', async () => {
      const { id, turn } = await aTurn();
      const proposal = aProposal();
      await lab.store.addEvents(turn, [{ event: 'proposal', data: {} }], proposal);
      expect(await lab.other.proposal(id, proposal.id)).toEqual({ ...proposal, status: 'open' });
      expect(await lab.store.proposal((await aSession()).id, proposal.id)).toBeNull();
      await lab.store.proposalApplied(id, proposal.id);
      expect((await lab.store.contents(id)).proposals).toEqual([{ ...proposal, status: 'applied' }]);
    });

    it('sets tokens of the month aside, and never more than are left', async () => {
      const organizationId = randomUUID();
      const reserve = (tokens: number) => lab.store.reserveTokens(organizationId, tokens, 100);
      const first = await reserve(60);
      expect(first).toMatchObject({ ok: true, reservation: { organizationId, tokens: 60,
        month: expect.stringMatching(/^\d{4}-\d\d-01$/) } });
      expect(await reserve(60)).toMatchObject({ ok: true, reservation: { tokens: 40 } });
      expect(await reserve(0)).toMatchObject({ ok: false, retryAfterS: expect.any(Number) });
      if (first.ok) await lab.store.settleTokens(first.reservation, 10);
      expect(await reserve(80)).toMatchObject({ ok: true, reservation: { tokens: 50 } });
      expect(await lab.store.reserveTokens(organizationId, 1_000, null)).toMatchObject({ ok: true,
        reservation: { tokens: 1_000 } });
    });

    it('deletes what nobody continues, but no turn under way', async () => {
      const [busy, idle] = [await aTurn(), await aSession()];
      expect(await lab.store.sweep(anHour, 1_000)).toBe(0);
      expect(await lab.store.sweep(over * 1_000, 1_000)).toBeGreaterThan(0);
      expect(await lab.store.get(idle.connectorId, idle.id)).toBeNull();
      expect(await lab.store.get(busy.connectorId, busy.id)).toMatchObject({ status: 'busy' });
    });
  });
}
