import { randomUUID } from 'node:crypto';
import { aMapping, anIndexRow, aRow, aSettlement, aUnit, acceptedAt, ownPartition } from '@sluice/ports/testing';
import { createEventIndex, createPool, createRunStore, migrate } from '../index';

/**
 * How many settlements a second this machine writes, one row and one mapping each, in batches of 500.
 * `node dist/bench/measure-settles.js <database url> [callers at once] [settlements]`; the database is filled.
 */
async function measureSettles(url: string, callers: number, total: number): Promise<void> {
  const batch = 500;
  await migrate(url);
  const pool = createPool(url, { max: callers + 1 });
  const store = createRunStore(pool);
  const lease = await ownPartition(store);
  const connectorId = randomUUID();
  await pool.query('INSERT INTO connector_bindings VALUES ($1, 1)', [connectorId]);

  const report = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    let left = total / batch;
    const start = performance.now();
    const caller = async (): Promise<void> => {
      while (left-- > 0) await work();
    };
    await Promise.all(Array.from({ length: callers }, caller));
    process.stdout.write(`${what}: ${Math.round(total / ((performance.now() - start) / 1000))}/s\n`);
  };
  const many = <T>(make: () => T): T[] => Array.from({ length: batch }, make);
  const aSettled = () => {
    const unit = aUnit();
    const mapping = aMapping({ connectorId, externalId: unit.eventId });
    return aSettlement(lease, {
      unit,
      connectorId,
      verdict: { kind: 'rows', rows: [aRow(unit, { connectorId })] },
      mappings: [mapping],
    });
  };

  await report('settle', () => store.settle(many(aSettled)));
  await report('finished', () => store.finished(many(() => ({ ...aUnit(), acceptedAt }))));
  await report('index', () => createEventIndex(pool).write(many(() => anIndexRow({ connectorId }))));
  await pool.end();
}

const [url, callers = '1', total = '40000'] = process.argv.slice(2);
if (!url) throw new Error('usage: measure-settles <database url> [callers] [settlements]');
void measureSettles(url, Number(callers), Number(total));
