import { emptyConfig } from '@sluice/config-model';
import type { ConfigDocument, Entity } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import type { IdentityDeps } from './deps';

/** The entities that mappings are saved for: of the version that runs, before the first publish of the draft. */
export async function declaredEntities(
  { store }: Pick<IdentityDeps, 'store'>, connector: ConnectorRow,
): Promise<readonly Entity[]> {
  const running = connector.activeVersion === null ? null : await store.drafts.version(connector.id, connector.activeVersion);
  const config = (running ?? (await store.drafts.get(connector.id, emptyConfig())))?.config as ConfigDocument | undefined;
  return config?.entities ?? [];
}
