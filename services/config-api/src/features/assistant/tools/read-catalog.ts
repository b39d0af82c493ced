import { configRoutes } from '@sluice/contracts';
import { configSurface } from '../../catalogue/config-surface';
import { type AssistantTool, noParameters } from './assistant-tool';

/** What a config may be made of. */
export const readCatalog: AssistantTool = {
  name: 'read_catalog',
  description: 'What a config may be made of: actions of steps with their fields and checks, transforms, conditions, types of sources.',
  parameters: noParameters,
  run: async ({ api }) => {
    await api.authorize(configRoutes.configSurface);
    const { json_schema: _schema, plugin_embedded_fields: _fields, ...catalogue } = configSurface();
    return catalogue;
  },
};
