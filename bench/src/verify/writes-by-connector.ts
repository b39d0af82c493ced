import type { CrmRecord } from '../stack/crm';

/**
 * When each connector's records were written, by the connector's place in the plan. Milliseconds since the epoch.
 * @param connectors of the plan
 */
export function writesByConnector(contacts: readonly CrmRecord[], prefix: string, connectors: number): Map<number, number[]> {
  const writes = new Map<number, number[]>();
  for (const { properties, write_log: log } of contacts) {
    const request = new RegExp(`^${prefix}-(\\d+)-`).exec(properties['email'] ?? '')?.[1];
    if (request === undefined) continue;
    const connector = Number(request) % connectors;
    const times = writes.get(connector) ?? [];
    times.push(...log.map(({ at }) => Date.parse(at)));
    writes.set(connector, times);
  }
  return writes;
}
