import { functionBounds, silentLogger } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { childMemoryMb, childScript, handler } from '../test-support/lab';
import { GuestChild } from './guest-child';

describe('a child that was not heard of for a while', () => {
  const maxFrameBytes = 4_194_304;
  let child: GuestChild;
  beforeEach(async () => {
    child = new GuestChild({
      script: childScript, maxFrameBytes, logger: silentLogger,
      child: { bounds: functionBounds, maxFrameBytes, memoryMb: childMemoryMb, addressSpaceMb: 16_384, cpuSeconds: 600 },
    });
    await child.ready;
  });
  afterEach(async () => {
    child.kill('the test is over');
    await child.gone;
  });
  const run = async (code: string, request = () => new Promise<never>(() => undefined)): Promise<{ kind: string }> => {
    expect(await child.ensure(code, () => Promise.resolve(code))).toEqual({ kind: 'loaded' });
    return child.run(code, Buffer.from('{}'), request);
  };

  it('is silent while a function computes, and not without one', async () => {
    const computing = run(handler('for (const end = Date.now() + 1_000; Date.now() < end; );'));
    await until('it is silent', () => child.isSilent);
    expect(await computing).toMatchObject({ kind: 'returned' });
    expect(child.isSilent).toBe(false);
  });

  it('is not silent while a function waits for an answer to a request', async () => {
    const requested = new Promise<void>((resolve) => {
      void run(handler(`await fetch('https://shop.example/');`), () => {
        resolve();
        return new Promise<never>(() => undefined);
      });
    });
    await requested;
    await until('it was not heard of for a while', () => performance.now() - child.heardAt > 200);
    expect(child.isSilent).toBe(false);
  });
});
