import type { ConnectorDirectory } from '@sluice/connector-feed';
import { decodeEnvelope, type EventEnvelope } from '@sluice/contracts';
import type { LaneItem } from '@sluice/key-lanes';
import type { Logger, PartitionLease, ReceivedMessage, RunStore } from '@sluice/ports';
import { StoreUnavailable, unitKeyText } from '@sluice/ports';
import type { CompiledConfigs } from '../connectors/compiled-configs';
import type { HeldWindow } from '../held/held-window';
import { laneItem } from '../units/lane-item';
import { applyPlan, planUnit, type UnitPlan } from '../units/plan-unit';
import { unitOf, type Unit } from '../units/unit';
import type { InHand } from './in-hand';

export interface IntakeDeps {
  store: Pick<RunStore, 'finished'>;
  /** Tells which held scopes the events must join. */
  heldWindow: Pick<HeldWindow, 'know'>;
  directory: ConnectorDirectory;
  configs: CompiledConfigs;
  logger: Logger;
}

function decodeAll(deps: IntakeDeps, lease: PartitionLease, messages: readonly ReceivedMessage[]): Unit[] {
  const units: Unit[] = [];
  for (const message of messages) {
    if (message.value === null) continue;
    try {
      const envelope: EventEnvelope = decodeEnvelope(message.value);
      units.push(unitOf(envelope, lease, message.offset, message.headers?.['traceparent'] ?? null));
    } catch (error) {
      // Not written by us: nothing of it was ever accepted, and stopping the partition for it would help nobody.
      deps.logger.error('message skipped: not an event envelope', {
        topic: lease.topic,
        partition: lease.partition,
        offset: String(message.offset),
        error,
      });
    }
  }
  return units;
}

const noPlan: UnitPlan = { flowName: null, convoy: false, touches: null };

/**
 * The plan of a unit under its connector's newest config. A runner that knows an older revision than the envelope loads first.
 * What cannot be planned runs alone: one broken event or config must not keep a partition, and its attempt says what is wrong.
 */
export async function planOf(deps: Pick<IntakeDeps, 'directory' | 'configs' | 'logger'>, unit: Unit): Promise<UnitPlan> {
  try {
    const connector = await deps.directory.ensure(unit.envelope.connector_id, unit.envelope.revision);
    if (!connector) return noPlan;
    const version = connector.active_version;
    const config =
      version === null
        ? null
        : (deps.configs.peek(connector.connector_id, version) ?? (await deps.configs.load(connector.connector_id, version)));
    return planUnit(unit, connector, config);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    deps.logger.error('event could not be planned', {
      event_id: unit.key.eventId,
      connector_id: unit.envelope.connector_id,
      error,
    });
    return noPlan;
  }
}

/**
 * A fetched batch on its way into the lanes: decoded, repeats and finished work dropped in one read, the held scopes of their
 * lanes made known, each unit planned.
 * The order of the log is kept.
 * @param inHand the partition's units fetched and not finished; those of this batch are added
 */
export async function intake(
  deps: IntakeDeps,
  lease: PartitionLease,
  messages: readonly ReceivedMessage[],
  inHand: InHand,
): Promise<LaneItem<Unit>[]> {
  const fresh: Unit[] = [];
  for (const unit of decodeAll(deps, lease, messages)) {
    if (inHand.has(unit)) continue;
    inHand.add(unit);
    fresh.push(unit);
  }
  if (fresh.length === 0) return [];
  const forget = (unit: Unit): void => inHand.remove(unit);
  try {
    const [finished] = await Promise.all([
      deps.store.finished(
        fresh.map(({ key, envelope }) => ({
          ...key,
          acceptedAt: envelope.accepted_at,
          ...(envelope.aliases ? { aliases: envelope.aliases } : {}),
        })),
      ),
      deps.heldWindow.know(lease, fresh),
    ]);
    const items: LaneItem<Unit>[] = [];
    for (const unit of fresh) {
      if (finished.has(unitKeyText(unit.key))) forget(unit);
      else {
        const plan = await planOf(deps, unit);
        applyPlan(unit, plan);
        items.push(laneItem(unit, plan));
      }
    }
    return items;
  } catch (error) {
    fresh.forEach(forget);
    throw error;
  }
}
