import { Prisma } from '../generated/client';
import type { Reader } from './config-client';

/** The time of the database in so many milliseconds, for a statement. */
export const inMs = (ms: number): Prisma.Sql => Prisma.sql`(now() + ${ms}::double precision * interval '1 millisecond')`;

/** The same, read. */
export async function timeIn(reader: Reader, ms: number): Promise<Date> {
  const [row] = await reader.$queryRaw<{ at: Date }[]>`SELECT ${inMs(ms)} AS at`;
  return row!.at;
}
