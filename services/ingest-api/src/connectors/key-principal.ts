import type { ConnectorChange } from '@sluice/contracts';
import { sha256Hex } from '@sluice/service-kit';

/** Which key of a connector a request came with, for log lines: `connector_key:<id>`. */
export function keyPrincipal({ keys }: ConnectorChange, header: string | string[] | undefined): string | undefined {
  const hash = sha256Hex(String(header));
  const key = keys.find((one) => one.hash === hash);
  return key && `connector_key:${key.id}`;
}
