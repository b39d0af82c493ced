import type { OutboxBacklog, SetAsideMessage, TaskOverview } from '@sluice/ports';
import { iso } from '../../http/iso';
import { type Overview, serviceOfGroup, type WaitEntry } from './read-overview';

export type OutboxView = OutboxBacklog & { items: readonly SetAsideMessage[] };

/** The overview for operators (docs/reference/operator-api.md, Overview): per service, then for the whole installation. */
export function overviewView({ serviceInstances, lag, waits, held, background, breakers }: Overview, outbox: OutboxView) {
  const now = Date.now();
  const expected = (lag ?? []).map(({ group }) => serviceOfGroup[group]!);
  const names = [...new Set([...serviceInstances.map(({ name }) => name), ...expected])];
  const services = names.map((name) => {
    const instances = serviceInstances
      .filter((instance) => instance.name === name)
      .map(({ version, uptime_seconds }) => ({ version, uptime_seconds }));
    const own = <T extends { group: string }>(entries: readonly T[] | null) =>
      entries && entries.filter(({ group }) => serviceOfGroup[group] === name);
    return {
      name,
      version: instances[0]?.version ?? null,
      uptime_seconds: instances.length === 0 ? null : Math.max(...instances.map(({ uptime_seconds }) => uptime_seconds)),
      instances,
      lag: own(lag),
      held: name === 'flow-runner' ? held : {},
      oldest_unprocessed_seconds: oldestAge(own(waits), now),
      breakers: name === 'flow-runner' ? (breakers ?? {}) : {},
    };
  });
  return {
    services,
    lag,
    held,
    oldest_unprocessed:
      waits &&
      waits.map(({ topic, group, since }) => ({ service: serviceOfGroup[group]!, topic, age_seconds: ageOf(since, now) })),
    oldest_unprocessed_seconds: oldestAge(waits, now),
    outbox: outboxView(outbox),
    background: background && background.map(workerView),
    breakers: breakers ?? {},
  };
}

function workerView(worker: TaskOverview) {
  const at = (time: Date | null): string | null => time && iso(time);
  return {
    worker: worker.worker, tasks: worker.tasks, running: worker.running, due: worker.due,
    oldest_due_seconds: Math.round(worker.oldestDueMs / 1_000), failing: worker.failing, owner: worker.owner,
    last_started_at: at(worker.lastStartedAt), last_ended_at: at(worker.lastEndedAt), last_error: worker.lastError,
    next_due_at: at(worker.nextDueAt),
  };
}

function outboxView({ waiting, oldestMs, setAside, items }: OutboxView) {
  return {
    waiting, oldest_ms: oldestMs, set_aside: setAside,
    set_aside_items: items.map(({ id: _id, at, bytes, ...item }) => ({ ...item, bytes: Number(bytes), set_aside_at: iso(at) })),
  };
}

const ageOf = (since: number | null, now: number): number | null =>
  since === null ? null : Math.max(0, Math.round((now - since) / 1_000));

function oldestAge(waits: readonly WaitEntry[] | null, now: number): number | null {
  const ages = (waits ?? []).flatMap(({ since }) => ageOf(since, now) ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}
