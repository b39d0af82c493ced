import type { Cluster } from './cluster';

interface SimRecord {
  id: string;
  properties: Record<string, string | null>;
  write_log: { at: string; source: string; properties: Record<string, string | null> }[];
  associations: { to_object_type: string; to_id: string }[];
}

/** The CRM's records, from the simulator's write logs and not from final values. */
export interface CrmFindings {
  records: number;
  /** Identity values that more than one record carries. */
  duplicates: string[];
  /** Records whose written versions ever went backwards. */
  outOfOrder: string[];
  /** Written versions beyond the first of each: writes that were done again. */
  writtenAgain: number;
  byIdentity: Map<string, SimRecord>;
}

/**
 * Reads a portal's records of a type. `identity` names what each is known by, `version` the property that counts up with each
 * event.
 * A write that is done again after a crash repeats a version; it never goes below one that was already written.
 */
export async function readCrm(
  cluster: Cluster,
  portalId: string,
  objectType: string,
  identity: string,
  version: string,
): Promise<CrmFindings> {
  const { items } = (await cluster.sim('GET', `/_sim/records?portal_id=${portalId}&object_type=${objectType}`)) as {
    items: SimRecord[];
  };
  const findings: CrmFindings = { records: items.length, duplicates: [], outOfOrder: [], writtenAgain: 0, byIdentity: new Map() };
  for (const record of items) {
    const name = record.properties[identity] ?? `(no ${identity}: ${record.id})`;
    if (findings.byIdentity.has(name)) findings.duplicates.push(name);
    findings.byIdentity.set(name, record);
    const versions = record.write_log
      .map((entry) => entry.properties[version])
      .filter((value) => value !== undefined && value !== null)
      .map(Number);
    if (versions.some((value, index) => index > 0 && value < versions[index - 1]!))
      findings.outOfOrder.push(`${name}: ${versions.join(' ')}`);
    findings.writtenAgain += versions.filter((value, index) => index > 0 && value === versions[index - 1]).length;
  }
  return findings;
}
