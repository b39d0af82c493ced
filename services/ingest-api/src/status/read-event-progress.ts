import { stoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import type { EventIds } from '@sluice/event-intake';
import { type EventIndex, type EventView, StoreUnavailable, type WallClock } from '@sluice/ports';
import { type EventProgress, eventProgress } from './event-status';

export interface ReadEventProgressDeps {
  ids: EventIds;
  index: Pick<EventIndex, 'view'>;
  stuckAfterMs: number;
  eventTtlMs: number;
  /** SLUICE_HISTORY_RETENTION in milliseconds: what is older is forgotten. */
  historyRetentionMs: number;
  now: WallClock;
}

/**
 * The state of an event of the connector. null: the id was not made for this connector, or its history is past its
 * retention and nothing of it still waits.
 * While the database cannot be reached, an accepted event is `processing`.
 */
export type ReadEventProgress = (connector: ConnectorChange, eventId: string) => Promise<EventProgress | null>;

export function createReadEventProgress(deps: ReadEventProgressDeps): ReadEventProgress {
  const { ids, index, stuckAfterMs, eventTtlMs, historyRetentionMs, now } = deps;
  return async (connector, eventId) => {
    const facts = ids.read(connector.connector_id, eventId);
    if (!facts) return null;
    const view = await viewOf(connector.connector_id, eventId, facts.earliest);
    if (view === null) return { status: 'processing', total: null, done: 0, rows: [], held: null };
    const chosen = isDone(view) ? view : ((await otherThatRan(connector.connector_id, view.index?.aliases ?? [])) ?? view);
    if (chosen.forgotten && chosen.held.length === 0) return null;
    if (chosen.index === null && chosen.rows.length === 0 && now() - facts.latest > historyRetentionMs) return null;
    return eventProgress(chosen, {
      now: now(),
      acceptedBy: facts.latest,
      stuckAfterMs,
      eventTtlMs,
      stopped: stoppedReason(connector),
    });
  };

  /**
   * The runner may have run the event under another of its ids: around midnight (UTC) under that of the neighbouring day, and
   * where the keys of event ids were rotated under one by another key.
   */
  async function otherThatRan(connectorId: string, aliases: readonly string[]): Promise<EventView | null> {
    for (const id of aliases) {
      // An id of a key that is not listed any more is not looked up: nothing says when it was accepted.
      const facts = ids.read(connectorId, id);
      const view = facts && (await viewOf(connectorId, id, facts.earliest));
      if (view && hasOutcome(view)) return view;
    }
    return null;
  }

  async function viewOf(connectorId: string, eventId: string, acceptedAt: number): Promise<EventView | null> {
    try {
      return await index.view(connectorId, eventId, new Date(acceptedAt).toISOString());
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }
}

const isDone = (view: EventView): boolean =>
  view.index !== null && new Set(view.rows.map(({ unit }) => unit.entityIndex)).size >= view.index.entitiesTotal;
const hasOutcome = (view: EventView): boolean => view.rows.length > 0 || view.held.length > 0;
