import { Client } from '@hubspot/api-client';
import { createCrmSimulator, type CrmSimulator } from '../create-crm-simulator';
import type { SimulatorOptions } from '../state/simulator-state';
import { declaredCodes } from './declared-operations';

/** A running simulator with the CRM's own client and a way to its control surface. */
export interface RunningSimulator {
  readonly simulator: CrmSimulator;
  readonly url: string;
  readonly client: Client;
  /**
   * Calls any path with the default portal's token; the body is parsed JSON, null when empty. Fails when the CRM's own client
   * would not take the answer's code for a success.
   */
  call(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: any; headers: Headers }>;
}

/** Starts on a free port. `numberOfApiCallRetries: 0` keeps the client from hiding failures. */
export async function startForTest(options?: SimulatorOptions): Promise<RunningSimulator> {
  const simulator = createCrmSimulator(options);
  const { url } = await simulator.start(0);
  const client = new Client({
    accessToken: 'sim-access-1000001',
    basePath: url,
    numberOfApiCallRetries: 0,
    limiterOptions: { minTime: 0, maxConcurrent: 20 },
  });
  return {
    simulator, url, client,
    async call(method, path, body, token = 'sim-access-1000001') {
      const form = body instanceof URLSearchParams;
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : form ? body : JSON.stringify(body),
      });
      const codes = declaredCodes(method, path);
      if (response.ok && codes?.includes(response.status) === false)
        throw new Error(`${method} ${path} answers ${response.status}; the CRM's own client takes only ${codes.join(', ')}`);
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
    },
  };
}

/** The error a promise rejects with; fails when it does not. */
export async function rejection(work: Promise<unknown>): Promise<any> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}
