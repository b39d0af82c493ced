/** The assistant. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Assistant',
      rules: [
        ['`POST /api/connectors/{connector_id}/assistant/sessions`: 201 `{id, status}`', null],
        ['`GET /api/connectors/{connector_id}/assistant/sessions`, `GET /api/connectors/{connector_id}/assistant/sessions/{session_id}`', null],
        ['`POST /api/connectors/{connector_id}/assistant/sessions/{session_id}/messages`: server-sent events `text`, `tool_call`, `tool_result`, `proposal`, one `done`', null],
        ['`GET /api/connectors/{connector_id}/assistant/sessions/{session_id}/events` with `Last-Event-ID` gives the rest', null],
        ['`POST /api/connectors/{connector_id}/assistant/sessions/{session_id}/proposals/{proposal_id}/apply` writes the draft, never publishes; 409 `proposal_already_applied`, `draft_version_conflict`', null],
        ['503 `assistant_unavailable` on every route without a key (`SLUICE_ASSISTANT_API_KEY`), after 401 and 404', null],
        ['`SLUICE_ASSISTANT_PROVIDER`: an OpenAI-compatible and an Anthropic adapter', null],
        ['402 `agent_session_daily_limit_reached`: 10 new sessions a UTC day on the trial', null],
        ['25 tool calls a session on the trial, 100 a turn elsewhere; `done.reason` `tool_limit`', null],
        ['429 `assistant_token_limit_reached` with `Retry-After` (`SLUICE_ASSISTANT_TOKENS_PER_MONTH`)', null],
        ['409 `session_busy`: one turn at a time; open again after a crash', null],
        ['`done.reason`: `end`, `tool_limit`, `token_limit`, `model_error`, `timeout`', null],
        ['Tools read config, catalogue, preflight, shapes with masked values, properties; propose a patch; dry-run; explain errors', null],
        ['Payloads are data: they stand in results of tools only', null],
      ],
    },
  ],
};
