import { getDraft } from '../../drafts/get-draft';
import { type AssistantTool, noParameters } from './assistant-tool';
import { maskConfig } from './mask-config';

interface Draft {
  config: unknown;
  base_version: number | null;
  draft_version: number;
  has_changes: boolean;
  warnings: unknown;
}

/** The draft. */
export const readConfig: AssistantTool = {
  name: 'read_config',
  description: 'The draft of the connector\'s config. Values of headers and secrets are masked.',
  parameters: noParameters,
  run: async ({ deps, api, connectorId }) => {
    const draft = (await api.call(getDraft(deps), { params: { connector_id: connectorId } })) as Draft;
    const { base_version, draft_version, has_changes, warnings } = draft;
    return { config: maskConfig(draft.config), base_version, draft_version, has_changes, warnings };
  },
};
