import type { AuditEntry, AuditStore, Logger } from '@sluice/ports';
import { callerNetwork, type CounterMetric, type Metrics } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';

/** Entries of one caller and action, and of callers of an organization that nobody knows, that are written within a window. */
const bounds = { ofCaller: { limit: 120, windowMs: 60_000 }, ofUnknown: { limit: 600, windowMs: 60_000 } };
/** Callers and actions whose dropped entries are counted at once; those of others are only in the metric. */
const maxCounts = 10_000;

/**
 * Writes entries of what changed nothing: refusals, and reads of the operator. Nobody can fill the log with them, nor use up what
 * another caller, or another action, may write. `flush` says how many were dropped.
 */
export interface BoundedAudit {
  add(entry: AuditEntry): Promise<void>;
  /** Writes one entry for each caller and action of which entries were dropped since the last flush. */
  flush(): Promise<void>;
}

export interface BoundedAuditOptions {
  audit: Pick<AuditStore, 'add'>;
  limits: Pick<LimitStore, 'slideWindow'>;
  logger: Logger;
  metrics: Metrics;
}

export function createBoundedAudit({ audit, limits, logger, metrics }: BoundedAuditOptions): BoundedAudit {
  const dropped: CounterMetric = metrics.counter({
    name: 'audit_entries_dropped_total',
    help: 'Refusals and reads that were not written to the audit log because there were too many.',
  });
  const counts = new Map<string, { entry: AuditEntry; count: number }>();

  const isWithinBounds = async (entry: AuditEntry, caller: string): Promise<boolean> => {
    const { organizationId: organization, action } = entry;
    const { allowed } = await limits.slideWindow(`audit:${organization}:${caller}:${action}`, bounds.ofCaller);
    if (!allowed || isKnown(entry)) return allowed;
    return (await limits.slideWindow(`audit:${organization}:unknown`, bounds.ofUnknown)).allowed;
  };
  const drop = (entry: AuditEntry, caller: string): void => {
    dropped.inc();
    const key = `${entry.organizationId} ${caller} ${entry.action}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else if (counts.size < maxCounts) counts.set(key, { entry, count: 1 });
  };
  return {
    add: async (entry) => {
      const caller = callerOf(entry);
      if (await isWithinBounds(entry, caller)) await audit.add(entry);
      else drop(entry, caller);
    },
    flush: async () => {
      const taken = [...counts.values()];
      counts.clear();
      for (const { entry, count } of taken) {
        await audit.add(dropEntry(entry, count)).catch((error: unknown) =>
          logger.warn('the number of dropped audit entries is missing in the audit log', { error, count }),
        );
      }
    },
  };
}

const isKnown = ({ actor }: AuditEntry): boolean => actor.id !== null || actor.type === 'operator';

/** Callers that were not authenticated are told apart by their network. */
function callerOf(entry: AuditEntry): string {
  const { actor, ip } = entry;
  return isKnown(entry) ? `${actor.type}:${actor.id ?? ''}` : `network:${callerNetwork(ip ?? '')}`;
}

const dropEntry = (entry: AuditEntry, count: number): AuditEntry => ({
  ...entry,
  actor: isKnown(entry) ? entry.actor : { ...entry.actor, label: null },
  action: 'audit.drop',
  target: { type: 'action', id: entry.action },
  requestId: null,
  reason: `${count} entries were not written`,
});
