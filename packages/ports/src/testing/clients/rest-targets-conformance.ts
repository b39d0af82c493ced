import type { RestTargets, TargetRequest } from '../../rest-targets/rest-targets';
import type { TwinAnswer } from './rest-targets-twin';

/** Destinations of which one, `erp`, is there. */
export interface RestTargetsLab {
  targets: RestTargets;
  /** What `erp` answers next. */
  answerNext(answer: TwinAnswer): void;
  /** What `erp` was sent: the path below its base URL, and the parsed body. */
  received(): { method: string; url: string; body: unknown }[];
  close(): Promise<void>;
}

const request: TargetRequest = { target: 'erp', method: 'POST', url: '/orders', headers: {}, body: { id: 17 }, stepId: 'tell' };

/**
 * What every implementation of RestTargets must do. Call it at the top level of a test file.
 * @param makeLab called before each test
 */
export function restTargetsConformance(name: string, makeLab: () => Promise<RestTargetsLab>): void {
  describe(`${name} are REST targets`, () => {
    let lab: RestTargetsLab;
    beforeEach(async () => {
      lab = await makeLab();
    });
    afterEach(() => lab.close());

    it('sends a body as JSON and gives the answer', async () => {
      lab.answerNext({ status: 201, body: { id: 'c-1' }, headers: { Location: '/orders/c-1' } });
      const answer = await lab.targets.send(request);
      expect(answer).toMatchObject({
        ok: true,
        value: { status: 201, body: { id: 'c-1' }, headers: { location: '/orders/c-1' } },
      });
      expect(lab.received()).toEqual([{ method: 'POST', url: '/orders', body: { id: 17 } }]);
    });

    it('gives an answer without a body as null, and a text as it is', async () => {
      lab.answerNext({ status: 204 });
      expect(await lab.targets.send(request)).toMatchObject({ ok: true, value: { status: 204, body: null } });
      lab.answerNext({ status: 200, body: 'accepted', headers: { 'Content-Type': 'text/plain' } });
      expect(await lab.targets.send(request)).toMatchObject({ ok: true, value: { body: 'accepted' } });
    });

    it('keeps the cookies of an answer to itself', async () => {
      lab.answerNext({ status: 200, headers: { 'Set-Cookie': 'session=1', 'X-Kind': 'a' } });
      const answer = await lab.targets.send(request);
      expect(answer).toMatchObject({ ok: true, value: { headers: { 'x-kind': 'a' } } });
      expect(JSON.stringify(answer)).not.toContain('session=1');
    });

    it.each<[number, string, string]>([
      [302, 'permanent', 'target_redirected'],
      [400, 'permanent', 'target_rejected'],
      [401, 'fatal', 'target_unauthorized'],
      [403, 'fatal', 'target_unauthorized'],
      [404, 'permanent', 'target_rejected'],
      [408, 'transient', 'target_unavailable'],
      [409, 'permanent', 'target_rejected'],
      [422, 'permanent', 'target_rejected'],
      [425, 'transient', 'target_unavailable'],
      [429, 'transient', 'target_unavailable'],
      [500, 'transient', 'target_unavailable'],
      [503, 'transient', 'target_unavailable'],
    ])('takes %i for a failure that is %s: %s', async (status, kind, code) => {
      lab.answerNext({ status });
      expect(await lab.targets.send(request)).toMatchObject({ ok: false, kind, code, status });
    });

    it.each([429, 503])('waits with %i as long as Retry-After says', async (status) => {
      lab.answerNext({ status, headers: { 'Retry-After': '7' } });
      expect(await lab.targets.send(request)).toMatchObject({ retryAfterMs: 7_000 });
    });

    it('sends nothing to a destination that is none', async () => {
      const answer = await lab.targets.send({ ...request, target: 'other' });
      expect(answer).toMatchObject({ ok: false, kind: 'permanent', code: 'unknown_destination' });
      expect(lab.received()).toEqual([]);
    });
  });
}
