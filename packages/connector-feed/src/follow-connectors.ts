import { connectorChanges, type ConnectorChange } from '@sluice/contracts';
import type { EventBus, Follower, Logger, ReceivedMessage } from '@sluice/ports';
import type { CheckResult, ReadingSupervisor } from '@sluice/service-kit';
import type { ConnectorDirectory } from './connector-directory';

/** Keeps a directory up to date with the topic. */
export interface ConnectorFeed {
  /** Resolves when everything that was in the topic is known. */
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): CheckResult;
}

export interface FollowConnectorsDeps {
  bus: Pick<EventBus, 'follow'>;
  directory: Pick<ConnectorDirectory, 'apply' | 'forget'>;
  supervisor: ReadingSupervisor;
  logger: Logger;
}

/** When the broker is silent for longer, keys and states in memory may be out of date. */
const silenceMs = 30_000;

export function followConnectors({ bus, directory, supervisor, logger }: FollowConnectorsDeps): ConnectorFeed {
  const take = ({ key, value, offset }: ReceivedMessage): void => {
    if (!value) return directory.forget(key);
    try {
      directory.apply(JSON.parse(value.toString('utf8')) as ConnectorChange);
    } catch (error) {
      // Not written by Sluice: what is known of the connector stays, and its next change is applied.
      logger.error('connector change skipped: not readable', { connector_id: key, offset: String(offset), error });
    }
  };
  const topic = connectorChanges.name;
  const follow = (): Promise<Follower> => bus.follow({ topic, onMessages: (messages) => messages.forEach(take) });
  const reader = supervisor.follower({ topic, reader: 'connectors' }, follow);
  return {
    start: () => reader.start(),
    stop: () => reader.stop(),
    ready: () => {
      const follower = reader.current();
      if (!follower) return { ok: false, reason: 'connector changes are not followed yet' };
      return follower.silentForMs() > silenceMs ? { ok: false, reason: 'the event bus is silent' } : { ok: true };
    },
  };
}
