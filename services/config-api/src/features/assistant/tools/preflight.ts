import { getPreflight } from '../../preflight/get-preflight';
import { type AssistantTool, noParameters } from './assistant-tool';

interface Found {
  severity: string;
  code: string;
  message: string;
  suggestion?: unknown;
  field?: unknown;
  entity?: unknown;
  event_flow?: unknown;
}

/** Their messages repeat words of the CRM. */
const wordsOfCrm = new Set(['bound_credential_unusable', 'candidate_credential_unusable']);

const shown = ({ severity, code, message, suggestion, field, entity, event_flow }: Found) => ({
  severity, code, message: wordsOfCrm.has(code) ? 'the CRM refuses the credential' : message,
  suggestion, field, entity, event_flow,
});

/** What a publish of the draft would refuse, and what may be unexpected afterwards. */
export const preflight: AssistantTool = {
  name: 'preflight',
  description: 'Checks the draft against the rules and the portal: errors, warnings and infos.',
  parameters: noParameters,
  run: async ({ deps, api, connectorId }) => {
    const answer = (await api.call(getPreflight(deps), { params: { connector_id: connectorId } })) as Record<string, Found[]>;
    return Object.fromEntries(['errors', 'warnings', 'infos'].map((list) => [list, (answer[list] ?? []).map(shown)]));
  },
};
