import type { Logger } from '@sluice/ports';
import { logLevel, type logCreator } from 'kafkajs';

/**
 * Passes kafkajs's log lines to our logger. Its errors are mostly transient and tried again, so they are warnings here; lasting
 * ones show in `healthy` and `silentForMs`.
 */
export function kafkaLog(logger: Logger | undefined): logCreator {
  return () =>
    ({ level, namespace, log }) => {
      const { message, error, broker, groupId, retryCount } = log as Record<string, unknown>;
      const reason = error instanceof Error ? error.message : error;
      const fields = { detail: message, part: namespace, broker, group: groupId, retries: retryCount, reason };
      if (level === logLevel.ERROR) logger?.warn('The Kafka client reports a problem.', fields);
      else logger?.debug('The Kafka client logs a message.', fields);
    };
}
