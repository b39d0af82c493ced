/** The assistant. */
const tests = {
  routes: 'services/config-api/src/features/assistant/assistant.integration.test.ts',
  safety: 'services/config-api/src/features/assistant/injections.integration.test.ts',
  model: 'packages/ports/src/testing/clients/model-conformance.ts',
  openai: 'packages/adapters/model-openai/src/openai-model.integration.test.ts',
  anthropic: 'packages/adapters/model-anthropic/src/anthropic-model.integration.test.ts',
  audit: 'services/config-api/src/audit/audit.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Assistant',
      rules: [
        ['`POST /api/connectors/{connector_id}/assistant/sessions`: 201 `{id, status}`', 'routes a message is answered with events; the session keeps what was said'],
        ['`GET /api/connectors/{connector_id}/assistant/sessions`, `GET /api/connectors/{connector_id}/assistant/sessions/{session_id}`', 'routes a message is answered with events; the session keeps what was said'],
        ['Every member and organization key of the organization sees all sessions', 'routes sessions are seen by every member and key of the organization, and by nobody else'],
        ['`POST /api/connectors/{connector_id}/assistant/sessions/{session_id}/messages`: server-sent events `text`, `tool_call`, `tool_result`, `proposal`, one `done`', 'routes tools are called, and their results go back to the model'],
        ['The content has 1 to 32,000 characters', 'routes refuses an empty and a too long message'],
        ['`GET /api/connectors/{connector_id}/assistant/sessions/{session_id}/events` with `Last-Event-ID` gives the rest', 'routes one turn at a time; a caller who leaves does not end it, and the rest can be had'],
        ['`POST /api/connectors/{connector_id}/assistant/sessions/{session_id}/proposals/{proposal_id}/apply` writes the draft, never publishes; 409 `proposal_already_applied`', 'routes a proposal is checked, shown, and applied by the user only'],
        ['`apply` with the `hash` of another proposal: 409 `proposal_changed`', 'routes a proposal is checked, shown, and applied by the user only'],
        ['409 `draft_version_conflict` when the draft has changed since', 'routes a proposal for a draft that has changed since is refused'],
        ['A proposal names new hosts, new uses of credentials, and what goes', 'routes a proposal says what to look at: new hosts, credentials at new places, what goes'],
        ['An applied proposal is in the audit log, with who applied it', 'audit a proposal of the assistant that is applied is logged, with who applied it'],
        ['503 `assistant_unavailable` on every route without a key (`SLUICE_ASSISTANT_API_KEY`), after 401 and 404', 'routes without a key of a model every route answers 503, after 401 and 404'],
        ['`SLUICE_ASSISTANT_PROVIDER`: an OpenAI-compatible adapter', 'openai sends the whole conversation as the API has it'],
        ['and one for Anthropic', 'anthropic sends the whole conversation as the API has it'],
        ['429, 5xx and a cut before the first byte are tried three times', 'model tries three times at most'],
        ['a cut in the middle is not', 'model does not try again what broke in the middle'],
        ['402 `agent_session_daily_limit_reached`: 10 new sessions a UTC day on the trial', 'routes on the trial: 25 tool calls a session, then words only; 10 sessions a day for the whole organization'],
        ['25 tool calls a session on the trial; `done.reason` `tool_limit`', 'routes on the trial: 25 tool calls a session, then words only; 10 sessions a day for the whole organization'],
        ['100 a turn elsewhere', 'routes other tiers: 100 tool calls a turn'],
        ['429 `assistant_token_limit_reached` with `Retry-After` (`SLUICE_ASSISTANT_TOKENS_PER_MONTH`); passed within a turn: `token_limit`', 'routes tokens of the month: passed in a turn it ends, then 429 until the next month'],
        ['403 `assistant_switched_off`: an organization can switch it off; `GET /api/orgs/{organization_id}/assistant`, `PUT /api/orgs/{organization_id}/assistant`', 'routes an organization can switch it off: nothing goes to the model any more'],
        ['409 `session_busy`: one turn at a time', 'routes one turn at a time; a caller who leaves does not end it, and the rest can be had'],
        ['open again after a crash', 'routes a turn whose process died is over: its followers get an end, and the session goes on'],
        ['`done.reason`: `end`, `tool_limit`, `token_limit`, `model_error`', 'routes a model that failed ends the turn with model_error'],
        ['`timeout`', 'routes a model that timeout ends the turn with timeout'],
        ['Tools work with the rights that the caller has at each call', 'routes what a caller may no longer do, its turn may not either'],
        ['Tools read config, catalogue, preflight, shapes with masked values, properties; propose a patch; dry-run; explain errors', 'safety the tools are a closed list'],
        ['Payloads are data: they stand in results of tools only', 'safety no secret and no value of an event reaches the model'],
        ['Instructions in payloads, labels and errors lead to no change and to no other connector', 'safety an injected instruction that the model follows changes nothing'],
      ],
    },
  ],
};
