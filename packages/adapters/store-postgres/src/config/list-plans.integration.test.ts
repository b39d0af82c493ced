import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/client';
import { migratedPool } from '../test-support/migrated-pool';
import { createConfigStore } from './create-config-store';

/** A node of a plan as Postgres explains it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}
interface Asked {
  query: string;
  params: string;
}

/** One organization with 10,000 connectors among others with 100,000, created in bursts of a hundred at the same moment. */
const seedSql = `
  INSERT INTO organizations (id, name, tier, updated_at)
  SELECT gen_random_uuid(), 'Shop ' || n, 'enterprise', now() FROM generate_series(1, 101) n;
  WITH numbered AS (SELECT id, row_number() OVER (ORDER BY name) AS n FROM organizations)
  INSERT INTO connectors (id, organization_id, name, mode, status, settings, created_at, updated_at)
  SELECT gen_random_uuid(), numbered.id, 'C ' || c, 'live', 'active', '{}', now() - (c / 100) * interval '1 minute', now()
  FROM numbered, generate_series(1, CASE WHEN n = 1 THEN 10000 ELSE 1000 END) c;
  ANALYZE connectors;`;

let pool: Pool;
let close: () => Promise<void>;
let prisma: PrismaClient<'query'>;
const asked: Asked[] = [];

beforeAll(async () => {
  ({ pool, close } = await migratedPool());
  prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }), log: [{ emit: 'event', level: 'query' }],
  });
  prisma.$on('query', ({ query, params }) => void asked.push({ query, params }));
  await pool.query(seedSql);
});
afterAll(async () => {
  await prisma?.$disconnect();
  await close?.();
});

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The nodes of the plans of what the store asks of connectors. */
async function plansOf(work: () => Promise<unknown>): Promise<PlanNode[][]> {
  asked.length = 0;
  await work();
  const ofConnectors = asked.filter(({ query }) => query.includes('"connectors"'));
  return Promise.all(ofConnectors.map(async ({ query, params }) => {
    const { rows } = await pool.query(`EXPLAIN (FORMAT JSON) ${query}`, JSON.parse(params) as unknown[]);
    return nodesOf((rows[0]['QUERY PLAN'] as { Plan: PlanNode }[])[0]!.Plan);
  }));
}

test('10,000 connectors are listed and paged by an index; the first pages without a sort', async () => {
  const { rows } = await pool.query('SELECT organization_id AS id FROM connectors GROUP BY 1 HAVING count(*) = 10000');
  const organizationId = rows[0].id as string;
  const { connectors } = createConfigStore(prisma);
  for (const offset of [0, 200, 9_900]) {
    const plans = await plansOf(() => connectors.list(organizationId, { limit: 50, offset }));
    expect(plans).toHaveLength(2);
    const nodes = plans.flat();
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    // The last pages read nearly all of them, and the planner may rather sort these.
    if (offset < 9_000) expect(nodes.filter((node) => node['Node Type'].includes('Sort'))).toEqual([]);
    expect(nodes.map((node) => node['Index Name'])).toContain('connectors_organization_id_created_at_id_idx');
  }
  const page = await connectors.list(organizationId, { limit: 200, offset: 50 });
  expect([page.total, page.items.length, new Set(page.items.map(({ id }) => id)).size]).toEqual([10_000, 200, 200]);
});
