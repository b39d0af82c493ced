import { startChild } from '../child';
import type { LoadPlan } from '../load/load-plan';
import type { ExpressServerCalls } from '../plain/express-server';
import type { Stack } from '../stack/stack';

const warmUpMs = 1_000;

/** Requests per second of bare express (JSON parsed, 202, nothing kept): what other rates of a run are compared with. */
export async function bareRate(stack: Stack, senders: number, durationMs: number): Promise<number> {
  const server = startChild<ExpressServerCalls>('plain/express-server');
  try {
    const { url } = await server.call('start', { brokers: null, topic: '' });
    const plan: LoadPlan = {
      url, path: '/api/v1/events', keys: ['none'], senders, shape: 'data', perRequest: 1, prefix: 'bare', requests: null,
      updates: 1, durationMs: warmUpMs, rate: null,
    };
    await stack.load(plan);
    const { accepted, elapsedMs } = await stack.load({ ...plan, durationMs });
    return (accepted / elapsedMs) * 1_000;
  } finally {
    await server.stop();
  }
}
