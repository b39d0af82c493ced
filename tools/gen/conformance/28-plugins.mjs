/** Plugins: records, deployment, the sandbox, what a handler gets and may answer, lifecycle hooks. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Plugin routes',
      rules: [
        ['`POST /api/plugins` `{name, capabilities}`, `GET /api/plugins`, `GET /api/plugins/{plugin_id}`: the record with every field, null where empty, `draft` when new', null],
        ['`PATCH /api/plugins/{plugin_id}` changes capabilities without a look at the bundle; they apply with the next publish or promotion', null],
        ['`DELETE /api/plugins/{plugin_id}`; 409 `plugin_in_use` with `connectors[]` while an active version uses it', null],
        ['409 `plugin_name_taken`; the name is free again after deletion', null],
        ['`capabilities`: `http`, `store`, `auth`; the flat list is kept as the object; another namespace, `*` alone, a scheme, path or port: 422 at `capabilities`', null],
        ['402 `plugin_system_not_allowed` for create, push and promote; everything else goes on after a move to another plan', null],
        ['`POST /api/plugins/{plugin_id}/push`: multipart `bundle` and `source_code`, 202; 422 at `bundle` without it, 415 for another body; bundle 5 MiB, source 2 MiB', null],
        ['422 `plugin_capability_violation` with `findings: [{rule, message, line, excerpt}]`; the code that was there stays', null],
        ['`POST /api/plugins/{plugin_id}/promote` `{target}`: 202; 409 `plugin_not_pushed`; another target: 422', null],
        ['`POST /api/plugins/{plugin_id}/invoke` `{payload, qualifier}`: `{output, logs, duration_ms, memory_mb, version}`, or `error` in place of `output`; 409 `plugin_not_deployed`; stores nothing', null],
        ['`GET /api/plugins/{plugin_id}/logs` by `since`, `level`, `cursor`, newest first', null],
        ['`GET /api/plugins/{plugin_id}/metrics` by `range` 24h, 7d, 30d; zeros for one that never ran', null],
        ['`GET /api/plugins/{plugin_id}/source` and `GET /api/plugins/{plugin_id}/bundle`: owners and organization keys; 404 when never pushed', null],
        ['`GET /api/plugins/{plugin_id}/lifecycle`: records of hooks, by `connector_id`', null],
        ['`POST /api/plugins/{plugin_id}/lifecycle/setup` and `POST /api/plugins/{plugin_id}/lifecycle/teardown` `{connector_id}`: 202 with the record; 404 without plugin, connector or (teardown) setup; 409 without a function', null],
        ['Every act leaves an audit row: `plugin.create`, `plugin.update`, `plugin.delete`, `plugin.push`, `plugin.promote`, `plugin.setup`, `plugin.teardown`', null],
      ],
    },
    {
      title: 'Plugin status',
      rules: [
        ['`draft` to `dev`: a push and its deploy landed; also after a promotion, whose versions are kept', null],
        ['`promoting_to_staging`, then `staging`: a new version of the shared function; `staging_version`, `function_arn` and `last_deployed_at` are set; active versions that name the plugin get it', null],
        ['`promoting_to_live`, then `live`: also directly from dev; `live_version` is set', null],
        ['A failure in passing is tried again (`SLUICE_PLATFORM_RETRY_WAITS`), the status stays', null],
        ['`error` when the platform gives up, `error_message` names the operation, without a stack; the same operation heals it', null],
        ['`error` when a hook has used up its attempts; the promotion stands; a later hook heals it', null],
        ['Promotions at the same moment end in one sound state', null],
      ],
    },
    {
      title: 'Plugins in a config',
      rules: [
        ['A `test` connector resolves to the function of its creator at `$LATEST`, a `live` one to the shared function at `live_version`', null],
        ['`plugin_overrides` wins over both with the next publish; unknown keys 422; only functions of the same organization', null],
        ['A publish is refused when the plugin does not exist or does not resolve; preflight names it', null],
        ['Coordinates that were written into a draft by hand do not count', null],
        ['`plugin_embedded_fields` of `GET /api/config-surface` are what a publish writes', null],
      ],
    },
    {
      title: 'Running a plugin',
      rules: [
        ['`SLUICE_FUNCTIONS`: functions run in a local sandbox, or on `lambda`', null],
        ['The handler gets `schema_version`, `connector_id`, `flow_name`, `source_name`, `event_type`, `external_id`, `payload`, `canonical`, `outputs`, `entities_index`, `sources_index`, `item`, `capabilities`, `config`, with the grants `store` and `auth`', null],
        ['It never gets credentials, clients or traces', null],
        ['`action: continue`: the answer is the output of the step', null],
        ['`action: skip` halts the flow', null],
        ['`action: retry`: a transient failure, with `requeue` at the end of the queue; five attempts, then `parked`, or `partial_success` after a write', null],
        ['`outcome: failed`: the record ends `failed` and can be replayed, the flow counts as healthy', null],
        ['An error that is thrown is a permanent failure', null],
        ['`store_writes` with the grant, all or none; `ttl_seconds`; over 100 keys or 64 KiB: permanent, nothing is written', null],
        ['`config.store_keys` are resolved; one that resolves to nothing is left out', null],
        ['`auth`: the headers of granted `rest` sources, `{}` where none', null],
        ['A reserved key of the wrong type is a permanent failure that names it; null is `{}`', null],
        ['Bounds: 10 s, 128 MiB, answer 1 MiB, 200 log lines of 2 KiB, 20 fetches of 1 MiB', null],
        ['`fetch`: covered hosts only, no private addresses, redirects to covered hosts without the headers, no `Host` and no headers of the connection', null],
        ['A handler finds no file, process, environment or network of the service', null],
      ],
    },
    {
      title: 'Lifecycle hooks',
      rules: [
        ['The record: `id, plugin_id, connector_id, hook_type, cycle, status, invoked_at, completed_at, response, error`; status `pending`, `success`, `failed`', null],
        ['Setup runs after a promotion that reached a connector whose config names the plugin, or on request; once per cycle', null],
        ['Teardown runs when the connector is deleted, best effort, or on request; the deletion does not wait', null],
        ['A failed hook is tried again (`SLUICE_HOOK_RETRY_WAITS`), then the plugin is in `error`; events run all the same', null],
        ['A setup after a teardown that succeeded opens the next cycle', null],
      ],
    },
  ],
};
