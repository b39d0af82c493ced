import { actionCatalogue } from '@sluice/actions';
import { configSchema } from '@sluice/config-model';
import { pluginEmbeddedFields } from '@sluice/contracts';
import { transformCatalogue, whenVariants } from '@sluice/flow-engine';
import { sourceCatalogue } from '@sluice/sources';

/** Everything that an editor of configs needs to know; it is the same for every organization. */
export function configSurface() {
  return {
    actions: actionCatalogue(),
    transforms: transformCatalogue.map(({ name, kind, description, args }) => ({
      name,
      kind,
      description,
      args: args.map(({ name: arg, type, required, description: words }) => ({ name: arg, type, required, description: words })),
    })),
    when: whenVariants.map(({ key, value_type, description }) => ({ key, value_type, description })),
    sources: sourceCatalogue(),
    json_schema: configSchema,
    plugin_embedded_fields: [...pluginEmbeddedFields],
  };
}
