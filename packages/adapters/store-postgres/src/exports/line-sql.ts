import type { KeptRows } from '../kept-rows';

/** What the queries are narrowed to. */
export interface QueryScope {
  /** As SQL: an array of the ids. Checked to be UUIDs, because COPY takes no parameters. */
  connectors: string;
  /** As SQL: the id, checked in the same way. */
  organization: string;
  /** One connector of the organization, not all of it. */
  isOneConnector: boolean;
  /** An export has what answers would show. */
  kept: KeptRows;
}

/** A time as lines have it: UTC with milliseconds. */
export const time = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** JSON that a user wrote: a line break in it can only stand between two values. */
export const oneLine = (column: string): string => `translate(${column}::text, E'\\n\\r', '  ')::json`;

/** A line of these fields, as SQL expressions by name. */
export function lineOf(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return `json_build_object(${pairs.join(', ')})`;
}

/** Columns under their own names. */
export const columns = (alias: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `${alias}.${name}`]));
export const times = (alias: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, time(`${alias}.${name}`)]));

/** The condition that a column names a connector of the scope. */
export const ofScope = (column: string, { connectors }: QueryScope): string => `${column} = ANY (${connectors})`;
