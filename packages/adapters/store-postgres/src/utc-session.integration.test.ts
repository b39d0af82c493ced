import { testDatabase } from '@sluice/testkit';
import { createPool } from './create-pool';
import { createPrisma } from './create-prisma';

describe('every session is in UTC, whatever the server and the options of the URL say', () => {
  it.each(['', '?options=-c%20TimeZone%3DAsia/Tokyo', '?options=-c%20work_mem%3D8MB'])(
    'with "%s" in the URL',
    async (query) => {
      const database = await testDatabase();
      const pool = createPool(`${database.url}${query}`);
      const prisma = createPrisma(pool);
      try {
        const [zone] = (await pool.query('SHOW TimeZone')).rows;
        expect(zone).toEqual({ TimeZone: 'UTC' });
        const at = new Date('2026-07-01T23:30:00.123Z');
        const [row] = await prisma.$queryRaw<{ same: boolean; day: string; at: Date }[]>`
          SELECT ${at}::timestamptz = '2026-07-01T23:30:00.123Z'::timestamptz AS same,
            '2026-07-01T23:30:00Z'::timestamptz::date::text AS day, '2026-07-01T23:30:00.123Z'::timestamptz AS at`;
        expect(row).toEqual({ same: true, day: '2026-07-01', at });
        if (query.includes('work_mem')) {
          expect((await pool.query('SHOW work_mem')).rows).toEqual([{ work_mem: '8MB' }]);
        }
      } finally {
        await prisma.$disconnect();
        await pool.end();
        await database.drop();
      }
    },
  );
});
