/** A record as the simulator's control surface shows it. */
export interface SimulatorRecord {
  id: string;
  archived: boolean;
  properties: Record<string, string | null>;
  associations: { to_object_type: string; to_id: string }[];
}

/** The CRM's records of one kind. */
export interface Holding {
  objectType: string;
  identity: string;
  records: number;
  /** Records beyond the first with one identity value. */
  duplicates: number;
  /** Associations to each other kind. */
  associations: Record<string, number>;
}

const kinds = [['contacts', 'email'], ['companies', 'domain'], ['deals', 'shop_order_number']] as const;

/**
 * Reads all records of the CRM simulator, so it is only for the amounts of the demo.
 * @param signal ends it when the process stops
 */
export async function crmHoldings(simulatorUrl: string, signal: AbortSignal): Promise<Holding[]> {
  const read = async (objectType: string): Promise<SimulatorRecord[]> => {
    const response = await fetch(`${simulatorUrl}/_sim/records?portal_id=1000001&object_type=${objectType}`, { signal });
    if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
    return ((await response.json()) as { items: SimulatorRecord[] }).items;
  };
  return Promise.all(kinds.map(async ([objectType, identity]) => holdingOf(objectType, identity, await read(objectType))));
}

/** Counts records, duplicates and associations. */
export function holdingOf(objectType: string, identity: string, all: readonly SimulatorRecord[]): Holding {
  const records = all.filter(({ archived }) => !archived);
  const values = records.flatMap(({ properties }) => properties[identity]?.toLowerCase() ?? []);
  const associations: Record<string, number> = {};
  for (const { to_object_type: to } of records.flatMap((record) => record.associations))
    associations[to] = (associations[to] ?? 0) + 1;
  return { objectType, identity, records: records.length, duplicates: values.length - new Set(values).size, associations };
}
