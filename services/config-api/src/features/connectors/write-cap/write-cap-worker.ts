import { defineWorker, type Worker } from '@sluice/background';
import type { Logger, MonitoringStore, WriteCapStore } from '@sluice/ports';
import type { UnreadSince } from '../../monitoring/log-backlog';

const [everyMs, leaseMs] = [1_000, 15_000];

export interface WriteCapWorkerDeps {
  writeCaps: Pick<WriteCapStore, 'tripReached' | 'releasing' | 'settled' | 'reopen'>;
  monitoring: Pick<MonitoringStore, 'waiting'>;
  /** Events that were accepted before the release may still lie in the log. */
  unreadSince: UnreadSince;
  /** SLUICE_CAP_SETTLING in milliseconds. */
  settlingMs: number;
  /** Called when connectors were changed: the other services must hear of it now, as of a change through a route. */
  changed(): void;
  logger: Logger;
}

/**
 * The worker that moves write caps on by time: it trips those whose last batch nobody settled, and takes released ones through
 * `settling`. Each step depends on the state in the store and happens once, so none needs a fence.
 */
export function writeCapWorker({ writeCaps, monitoring, unreadSince, settlingMs, changed, logger }: WriteCapWorkerDeps): Worker {
  const told = (message: string, ids: readonly string[]): void => {
    if (ids.length > 0) changed();
    for (const id of ids) logger.info(message, { connector_id: id });
  };

  const waitsInLog = async (connectorId: string, released: Date): Promise<boolean> => {
    const since = await unreadSince();
    return since !== null && since <= released && (await monitoring.waiting(connectorId, 'inbound', since)).inLog > 0;
  };
  return defineWorker({
    name: 'connectors.write-caps', schedule: { every: everyMs }, leaseMs,
    run: async () => {
      told('first-sync write cap reached', await writeCaps.tripReached());
      for (const { connectorId, since } of await writeCaps.releasing()) {
        if (!(await waitsInLog(connectorId, since)) && (await writeCaps.settled(connectorId)))
          told('every event held by the write cap was sent', [connectorId]);
      }
      told('connector opened again after its write cap', await writeCaps.reopen(settlingMs));
    },
  });
}
