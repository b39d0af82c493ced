import { Agent, request } from 'node:http';
import { createCrmSimulator } from '../create-crm-simulator';

/**
 * Measures batch upserts through HTTP, client and server on the same core: `node dist/bench/upsert-throughput.js [seconds]`.
 * Prints records per second of wall time, and per second of the process's CPU time, which is what one core holds.
 */
const batchSize = 100;
const concurrency = 8;
const distinct = 50_000;

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

function post(port: number, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        port,
        agent,
        method: 'POST',
        path: '/crm/v3/objects/contacts/batch/upsert',
        headers: { authorization: 'Bearer sim-access-1000001', 'content-type': 'application/json' },
      },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

function batch(start: number): string {
  const inputs = Array.from({ length: batchSize }, (_, i) => {
    const n = (start + i) % distinct;
    return {
      id: `person${n}@example.com`,
      idProperty: 'email',
      objectWriteTraceId: `t${start + i}`,
      properties: {
        email: `person${n}@example.com`,
        firstname: `First ${start}`,
        lastname: `Last ${n}`,
        phone: '+49 30 123456',
        city: 'Berlin',
        lifecyclestage: 'customer',
      },
    };
  });
  return JSON.stringify({ inputs });
}

async function main(): Promise<void> {
  const seconds = Number(process.argv[2] ?? 5);
  const simulator = createCrmSimulator();
  const { port } = await simulator.start(0);
  const end = Date.now() + seconds * 1_000;
  const startedAt = Date.now();
  const cpu = process.cpuUsage();
  let next = 0;
  let records = 0;
  const worker = async (): Promise<void> => {
    while (Date.now() < end) {
      const start = next;
      next += batchSize;
      const status = await post(port, batch(start));
      if (status !== 200) throw new Error(`unexpected status ${status}`);
      records += batchSize;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const wall = (Date.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(`${records} records in ${wall.toFixed(1)} s: ${Math.round(records / wall)} records/s, ${Math.round(records / ((user + system) / 1e6))} records per CPU second (client included)\n`);
  await simulator.stop();
  agent.destroy();
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
