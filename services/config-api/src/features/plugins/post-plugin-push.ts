import { createHash } from 'node:crypto';
import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { developerOf } from '../../auth/principal';
import { assertLintClean } from './checks/assert-lint-clean';
import { assertPluginsAllowed } from './checks/assert-plugins-allowed';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { changedPlugin } from './plugin-refusal';
import { pluginView } from './plugin-view';
import { readBundle } from './checks/read-bundle';

export function postPluginPush(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.pushPlugin, {
    authenticate: deps.authenticate,
    handler: async ({ form, params, principal, wide }) => {
      assertPluginsAllowed(deps, principal);
      const { id, capabilities } = await findPlugin(deps, principal, params.plugin_id);
      const { fields, files: { bundle } } = await form.receive({ bundle: readBundle });
      await assertLintClean(deps, principal.organization.id, bundle, capabilities);
      const sha256 = createHash('sha256').update(bundle).digest('hex');
      wide.add({ plugin_id: id, bundle_sha256: sha256 });
      const pushed = changedPlugin(await deps.store.plugins.push(principal.organization.id, id, {
        bundle, sha256, source: fields.source_code ?? null, developerId: developerOf(principal),
      }));
      return { status: 202, body: pluginView(pushed) };
    },
  });
}
