import { objectTypeId } from '@sluice/contracts';
import type { CrmJournal, Logger } from '@sluice/ports';
import type { ReadySource } from './journal-sources';

export interface SubscriptionsDeps {
  journal: Pick<CrmJournal, 'journalSubscribe' | 'journalUnsubscribe'>;
  timeoutMs: number;
  logger: Logger;
}

/**
 * What this process has subscribed to: types by portal. Invariant: a subscription is made once per process and whenever a
 * connector that wants its type has changed in anything. Another process may have ended or narrowed it between two changes of
 * which this one saw only what they led to: a source that was switched off and on, or a version that another one took back. What
 * the CRM lost is there again with the next start.
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
    portalId: string, type: string, { properties, wantedBy }: Wish, signal: AbortSignal,
  ): Promise<string | null> {
    const made = this.made.get(portalId) ?? new Map<string, string>();
    const text = JSON.stringify([wantedBy, properties]);
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
  /** The connectors that want it, each with its revision. */
  wantedBy: readonly string[];
}

/** By portal and type. */
function wantedOf(sources: readonly ReadySource[]): Map<string, Map<string, Wish>> {
  const wanted = new Map<string, Map<string, Wish>>();
  for (const { connector, portalId, source } of sources) {
    const types = wanted.get(portalId) ?? new Map<string, Wish>();
    for (const { objectType, properties } of source.watched) {
      const known = types.get(objectType);
      const isWhole = properties.length === 0 || known?.properties.length === 0;
      const all = isWhole ? [] : [...new Set([...(known?.properties ?? []), ...properties])].sort();
      const wantedBy = [...(known?.wantedBy ?? []), `${connector.connector_id} ${connector.revision}`];
      types.set(objectType, { properties: all, wantedBy });
    }
    wanted.set(portalId, types);
  }
  return wanted;
}
