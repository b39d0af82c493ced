import type { ConnectorChange } from '@sluice/contracts';
import type { Logger, ReceivedMessage } from '@sluice/ports';
import type { ConnectorDirectory } from './connector-directory';

/**
 * A message of `connector.changes` into the directory. One that cannot be read is passed over: it was not written by us, and
 * whoever needs a revision that the directory does not know reads it from the store.
 */
export function hearChange(directory: Pick<ConnectorDirectory, 'heard'>, message: ReceivedMessage, logger: Logger): void {
  const { key, value, offset } = message;
  if (!value) return;
  try {
    directory.heard(JSON.parse(value.toString('utf8')) as ConnectorChange);
  } catch (error) {
    logger.error('connector change skipped: not readable', { connector_id: key, offset: String(offset), error });
  }
}
