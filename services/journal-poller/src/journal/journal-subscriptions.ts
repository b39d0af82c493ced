import { objectTypeId } from '@sluice/contracts';
import type { CrmJournal, Logger } from '@sluice/ports';
import type { ReadySource } from './journal-sources';

export interface SubscriptionsDeps {
  journal: Pick<CrmJournal, 'journalSubscribe' | 'journalUnsubscribe'>;
  timeoutMs: number;
  logger: Logger;
}

/**
 * What this process has subscribed to: types by portal. Invariant: a subscription is made once per process and whenever what is
 * wanted of its type changes or another connector wants it, so that it is there again after a rebind, although another process
 * ended it meanwhile, and after the CRM lost it, with the next start.
 */
export class JournalSubscriptions {
  /** By portal and type: what was subscribed to, and for whom, as text. */
  private readonly made = new Map<string, Map<string, string>>();
  /** Ids of types that are named otherwise, by portal and name. */
  private readonly ids = new Map<string, string>();

  constructor(private readonly deps: SubscriptionsDeps) {}

  /** The id of a type in a portal; of a custom type that is not subscribed to, its name. */
  idOf(portalId: string, type: string): string {
    return this.ids.get(`${portalId}/${type}`) ?? objectTypeId(type);
  }

  /** Subscribes to what the sources want, and ends what none of them wants any more. @returns what failed, in words, by portal */
  async update(sources: readonly ReadySource[], signal: AbortSignal): Promise<Map<string, string>> {
    const wanted = wantedOf(sources);
    const failures = new Map<string, string>();
    for (const [portalId, types] of wanted)
      for (const [type, wish] of types) {
        const failure = await this.subscribe(portalId, type, wish, signal);
        if (failure !== null) failures.set(portalId, failure);
      }
    for (const portalId of this.made.keys()) if (!wanted.has(portalId)) await this.end(portalId, signal);
    return failures;
  }

  private async subscribe(
    portalId: string, type: string, { properties, since }: Wish, signal: AbortSignal,
  ): Promise<string | null> {
    const made = this.made.get(portalId) ?? new Map<string, string>();
    const text = JSON.stringify([since, properties]);
    if (made.get(type) === text) return null;
    const { journal, timeoutMs } = this.deps;
    const answer = await journal.journalSubscribe({ portalId, objectType: type, properties }, { timeoutMs, signal });
    if (!answer.ok) return `the changes of ${type} cannot be subscribed to: ${answer.message}`;
    this.ids.set(`${portalId}/${type}`, answer.value);
    this.made.set(portalId, made.set(type, text));
    return null;
  }

  private async end(portalId: string, signal: AbortSignal): Promise<void> {
    const { journal, logger, timeoutMs } = this.deps;
    const answer = await journal.journalUnsubscribe(portalId, { timeoutMs, signal });
    if (answer.ok) this.made.delete(portalId);
    else logger.debug('the subscriptions of a portal are ended later', { portal_id: portalId, reason: answer.message });
  }
}

/** What is wanted of a type in a portal. */
interface Wish {
  /** An empty list: all. */
  properties: readonly string[];
  /** When the last of those who want it came to want it. */
  since: number;
}

/** By portal and type. */
function wantedOf(sources: readonly ReadySource[]): Map<string, Map<string, Wish>> {
  const wanted = new Map<string, Map<string, Wish>>();
  for (const { portalId, since, source } of sources) {
    const types = wanted.get(portalId) ?? new Map<string, Wish>();
    for (const { objectType, properties } of source.watched) {
      const known = types.get(objectType);
      const isWhole = properties.length === 0 || known?.properties.length === 0;
      const all = isWhole ? [] : [...new Set([...(known?.properties ?? []), ...properties])].sort();
      types.set(objectType, { properties: all, since: Math.max(known?.since ?? 0, since.getTime()) });
    }
    wanted.set(portalId, types);
  }
  return wanted;
}
