import { type Model, ModelFailure, type ModelPart, type ModelRequest } from '../../model';

/** What a model server does with one request. */
export interface ModelStep {
  /** Pieces of text. */
  text?: readonly string[];
  /** Tool calls; their arguments arrive in two pieces. */
  calls?: readonly { id: string; name: string; arguments: string }[];
  usage?: { input: number; output: number };
  /** An error answer instead. */
  status?: number;
  retryAfter?: string;
  /** Cuts the connection before the first byte, or after the pieces of text. */
  cut?: 'before' | 'after';
  /** Sends nothing, or nothing more. */
  silent?: 'before' | 'after';
}

export interface ModelLab {
  /** A model with a limit of about a second for silence, and short waits between tries. */
  model: Model;
  /** What the server does with the next requests. */
  play(...steps: ModelStep[]): void;
  /** Requests that reached the server. */
  asked(): number;
  stop(): Promise<void>;
}

const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }],
  maxOutputTokens: 100,
};

/** What every `Model` does. */
export function modelConformance(name: string, open: () => Promise<ModelLab>): void {
  describe(name, () => {
    let lab: ModelLab;
    beforeAll(async () => { lab = await open(); });
    afterAll(() => lab.stop());

    const never = new AbortController().signal;
    const parts = async (signal = never): Promise<ModelPart[]> => {
      const found: ModelPart[] = [];
      for await (const part of lab.model.answer(request, signal)) found.push(part);
      return found;
    };
    const failure = async (work: Promise<unknown>): Promise<ModelFailure> => {
      const error = await work.then(() => undefined, (cause: unknown) => cause);
      expect(error).toBeInstanceOf(ModelFailure);
      return error as ModelFailure;
    };
    const askedBy = async (work: () => Promise<unknown>): Promise<number> => {
      const before = lab.asked();
      await work();
      return lab.asked() - before;
    };

    it('gives words in pieces, tool calls as a whole, and what was used', async () => {
      lab.play({
        text: ['Hel', 'lo.'], usage: { input: 12, output: 7 },
        calls: [{ id: 'c1', name: 'look', arguments: '{"at":"a"}' }, { id: 'c2', name: 'look', arguments: '{}' }],
      });
      expect(await parts()).toEqual([
        { kind: 'text', text: 'Hel' }, { kind: 'text', text: 'lo.' },
        { kind: 'tool_call', call: { id: 'c1', name: 'look', arguments: '{"at":"a"}' } },
        { kind: 'tool_call', call: { id: 'c2', name: 'look', arguments: '{}' } },
        { kind: 'end', usage: { inputTokens: 12, outputTokens: 7 } },
      ]);
    });

    it.each([
      ['429 and 503', [{ status: 429, retryAfter: '0' }, { status: 503 }]],
      ['connections that break before the first byte', [{ cut: 'before' }, { cut: 'before' }]],
    ] as const)('tries %s again', async (_what, steps) => {
      lab.play(...steps, { text: ['ok'] });
      expect(await askedBy(async () => expect((await parts())[0]).toEqual({ kind: 'text', text: 'ok' }))).toBe(3);
    });

    it('tries three times at most', async () => {
      lab.play({ status: 500 }, { status: 502 }, { status: 529 }, { text: ['never'] });
      expect(await askedBy(async () => expect((await failure(parts())).reason).toBe('failed'))).toBe(3);
      expect((await parts())[0]).toEqual({ kind: 'text', text: 'never' });
    });

    it.each([400, 401, 403, 404, 422])('does not try again after %i, and repeats no word of the server', async (status) => {
      lab.play({ status });
      expect(await askedBy(async () => {
        const { reason, message } = await failure(parts());
        expect([reason, message]).toEqual(['failed', `the model server answered ${status}`]);
      })).toBe(1);
    });

    it('does not try again what broke in the middle', async () => {
      lab.play({ text: ['Half'], cut: 'after' });
      const seen: ModelPart[] = [];
      const read = async (): Promise<void> => { for await (const part of lab.model.answer(request, never)) seen.push(part); };
      expect(await askedBy(async () => expect((await failure(read())).reason).toBe('failed'))).toBe(1);
      expect(seen).toEqual([{ kind: 'text', text: 'Half' }]);
    });

    it.each(['before', 'after'] as const)('gives up when nothing arrives for too long: %s the first words', async (silent) => {
      lab.play({ text: ['Well'], silent });
      expect(await askedBy(async () => expect((await failure(parts())).reason).toBe('timeout'))).toBe(1);
    });

    it('ends when it is told to', async () => {
      lab.play({ text: ['Well'], silent: 'after' });
      const over = new AbortController();
      const reason = new Error('enough');
      setTimeout(() => over.abort(reason), 50);
      await expect(parts(over.signal)).rejects.toBe(reason);
    });
  });
}
