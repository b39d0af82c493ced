import { randomUUID } from 'node:crypto';
import { FunctionPlatformUnavailable } from '@sluice/ports';
import { functionPlatformConformance } from '@sluice/ports/testing';
import { labSecret, openLambdaLab } from './test-support/lambda-lab';
import type { StubRefusal } from './test-support/lambda-stub';

functionPlatformConformance('functions-lambda', async () => {
  const { platform, stub } = await openLambdaLab();
  return {
    arnOf: (name) => platform.arnOf(name), deploy: (name, code) => platform.deploy(name, code),
    publish: (name, code, operation) => platform.publish(name, code, operation), remove: (name) => platform.remove(name),
    has: (call) => platform.has(call), invoke: (call) => platform.invoke(call),
    close: async () => {
      await platform.close();
      await stub.close();
    },
  };
});

describe('an invocation that Lambda refuses', () => {
  let lab: Awaited<ReturnType<typeof openLambdaLab>>;
  const fn = { organizationId: randomUUID(), pluginId: randomUUID(), developerId: null };
  beforeAll(async () => {
    lab = await openLambdaLab();
    expect(await lab.platform.deploy(fn, 'exports.handler = async () => ({ ok: true });')).toEqual({ ok: true });
  }, 60_000);
  afterAll(async () => {
    await lab.platform.close();
    await lab.stub.close();
  });

  /** Invokes once while the next invocation is refused. @returns the answer, and how often the request came */
  async function refusedWith(refusal: StubRefusal): Promise<{ answer: unknown; sent: number }> {
    const isInvocation = ({ path }: { path: string }): boolean => path.endsWith('/invocations');
    lab.stub.refuseNext(isInvocation, refusal);
    const before = lab.stub.requests.filter(isInvocation).length;
    const answer = await lab.platform.invoke({
      organizationId: fn.organizationId, functionArn: lab.platform.arnOf(fn), qualifier: '$LATEST', payload: {},
      grants: { hosts: [], secrets: [] },
    }).catch((error: unknown) => error);
    return { answer, sent: lab.stub.requests.filter(isInvocation).length - before };
  }

  it('because of throttling is busy, and was sent once', async () => {
    const refusal = { status: 429, type: 'TooManyRequestsException', message: 'Rate exceeded' };
    expect(await refusedWith(refusal)).toEqual({ answer: { kind: 'busy', retryAfterMs: 2_000 }, sent: 1 });
  });

  it.each([
    { status: 500, type: 'ServiceException' }, { status: 403, type: 'AccessDeniedException' },
  ])('with $status makes the platform unavailable, without words of the refusal', async ({ status, type }) => {
    const { answer, sent } = await refusedWith({ status, type, message: `of ${labSecret}` });
    expect(sent).toBe(1);
    expect(answer).toBeInstanceOf(FunctionPlatformUnavailable);
    expect((answer as Error).message).toBe(`AWS Lambda cannot be used: ${type} (status ${status})`);
  });

  it('as too long fails the record', async () => {
    const { answer } = await refusedWith({ status: 413, type: 'RequestTooLargeException', message: 'too long' });
    expect(answer).toMatchObject({ kind: 'threw',
      message: 'AWS Lambda refused the invocation: RequestTooLargeException (status 413)' });
  });
});
