import { connectorChanges, type ConnectorChange } from '@sluice/contracts';
import type { EventBus, Follower } from '@sluice/ports';
import type { CheckResult } from '@sluice/service-kit';
import type { ConnectorDirectory } from './connector-directory';

/** Keeps a directory as new as the topic. */
export interface ConnectorFeed {
  /** Resolves when everything the topic held is known. */
  start(): Promise<void>;
  stop(): Promise<void>;
  ready(): CheckResult;
}

/** Past this silence of the broker, keys and states known here may be old. */
const silenceMs = 30_000;

export function followConnectors(bus: Pick<EventBus, 'follow'>, directory: ConnectorDirectory): ConnectorFeed {
  let follower: Follower | undefined;
  let failure: unknown;
  return {
    start: async () => {
      follower = await bus.follow({
        topic: connectorChanges.name,
        onMessages: (messages) => {
          for (const { key, value } of messages) {
            if (value) directory.heard(JSON.parse(value.toString('utf8')) as ConnectorChange);
            else directory.forget(key);
          }
        },
      });
      const failed = follower.failed.then((error) => { failure = error; });
      await Promise.race([follower.caughtUp, failed]);
      if (failure !== undefined) throw new Error('connector changes could not be followed', { cause: failure });
    },
    stop: async () => void (await follower?.stop()),
    ready: () => {
      if (!follower) return { ok: false, reason: 'connector changes are not followed yet' };
      if (failure !== undefined) return { ok: false, reason: 'following connector changes has failed' };
      return follower.silentForMs() > silenceMs ? { ok: false, reason: 'the event bus is silent' } : { ok: true };
    },
  };
}
