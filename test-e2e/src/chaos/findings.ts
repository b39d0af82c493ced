import type { Cluster, Tenant } from '../support/cluster';
import { untilAllEnded } from '../support/sender';
import { type CrmFindings, readCrm } from '../support/verify-crm';
import type { Sent } from './senders';

/** What became of everything that was accepted. Examples say which records. */
export interface Findings {
  accepted: number;
  /** Accepted events that ended `completed`, or whose records a newer event had written by then. */
  settled: number;
  /** Ends of the other ones: none may be here. */
  otherEnds: Record<string, number>;
  /** Records whose newest accepted version is not in the CRM. */
  lost: string[];
  duplicates: string[];
  outOfOrder: string[];
  records: number;
  writtenAgain: number;
}

/** How long everything may take to end after the last trouble. */
const endedWithinMs = 300_000;

/** Waits until every event has ended, then compares the portals with what was accepted. Throws when events do not end in time. */
export async function findingsOf(cluster: Cluster, tenants: readonly Tenant[], sent: readonly Sent[]): Promise<Findings> {
  const findings: Findings = {
    accepted: 0, settled: 0, otherEnds: {}, lost: [], duplicates: [], outOfOrder: [], records: 0, writtenAgain: 0,
  };
  for (const [index, { connectorKey, portalId }] of tenants.entries()) {
    const { accepted, customers, orders } = sent[index]!;
    const ends = await untilAllEnded(cluster.ingest[0]!.url, connectorKey, accepted, endedWithinMs);
    findings.accepted += accepted.length;
    countEnds(findings, ends);
    addRecords(findings, customers, 'jobtitle', await readCrm(cluster, portalId, 'contacts', 'email', 'jobtitle'));
    addRecords(findings, orders, 'amount', await readCrm(cluster, portalId, 'deals', 'description', 'amount'));
  }
  return findings;
}

function countEnds(findings: Findings, ends: Record<string, number>): void {
  for (const [end, count] of Object.entries(ends)) {
    if (end === 'completed' || end === 'superseded') findings.settled += count;
    else findings.otherEnds[end] = (findings.otherEnds[end] ?? 0) + count;
  }
}

function addRecords(findings: Findings, newest: ReadonlyMap<string, number>, property: string, crm: CrmFindings): void {
  for (const [name, version] of newest) {
    const written = crm.byIdentity.get(name)?.properties[property] ?? null;
    if (Number(written) !== version) findings.lost.push(`${name}: version ${version} was accepted, the CRM has ${written}`);
  }
  findings.duplicates.push(...crm.duplicates);
  findings.outOfOrder.push(...crm.outOfOrder);
  findings.records += crm.records;
  findings.writtenAgain += crm.writtenAgain;
}
