-- Plugins: what config-api is told, what plugin-deployer does with it, and what their runs leave.

-- Names of an organization are unique, and free again once a plugin is deleted.
CREATE TABLE plugins (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'draft'
    CHECK (status IN ('draft', 'dev', 'promoting_to_staging', 'staging', 'promoting_to_live', 'live', 'error')),
  capabilities json NOT NULL DEFAULT '{}',
  staging_version integer,
  live_version integer,
  function_arn text,
  error_message text,
  -- What was pushed last.
  bundle_sha256 text,
  source_code text,
  last_deployed_at timestamptz(3),
  setup_completed_at timestamptz(3),
  created_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX plugins_organization_id_name_key ON plugins (organization_id, name);
CREATE INDEX plugins_organization_id_created_at_id_idx ON plugins (organization_id, created_at DESC, id);

-- Bundles that were pushed and are still needed: the last one, and those of operations that are pending.
CREATE TABLE plugin_bundles (
  plugin_id uuid NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  sha256 text NOT NULL,
  bundle text NOT NULL,
  PRIMARY KEY (plugin_id, sha256)
);

-- What was asked of the function platform, in the order of asking: those of a plugin run one after the other.
CREATE TABLE plugin_operations (
  id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  plugin_id uuid NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('deploy', 'promote')),
  target text CHECK (target IN ('staging', 'live')),
  developer_id text,
  sha256 text NOT NULL,
  -- pending, done or failed.
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'failed')),
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Of a promotion whose version is published and still has to be put into versions of connectors.
  version integer,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3)
);
CREATE INDEX plugin_operations_pending_idx ON plugin_operations (plugin_id, seq) WHERE state = 'pending';
CREATE INDEX plugin_operations_ended_at_idx ON plugin_operations (ended_at) WHERE state <> 'pending';

-- Functions on the platform, by their identifiers: to whom they belong, and what has to be removed with a plugin.
CREATE TABLE plugin_functions (
  function_arn text PRIMARY KEY,
  organization_id uuid NOT NULL,
  plugin_id uuid NOT NULL,
  -- null: the one that the organization shares.
  developer_id text,
  -- Set with the deletion of the plugin, until the function is removed from the platform.
  removed_at timestamptz(3)
);
CREATE INDEX plugin_functions_plugin_id_idx ON plugin_functions (plugin_id);
CREATE INDEX plugin_functions_removed_at_idx ON plugin_functions (removed_at) WHERE removed_at IS NOT NULL;

-- What the names of plugins in a published version mean. The config of a version never changes, this does with a promotion.
CREATE TABLE version_plugins (
  connector_id uuid NOT NULL,
  version integer NOT NULL,
  logical_name text NOT NULL,
  plugin_id uuid NOT NULL,
  function_arn text NOT NULL,
  -- A number, or $LATEST.
  function_version text NOT NULL,
  capabilities json NOT NULL,
  -- live: follows the live version; latest: the developer's own function; override: as the connector's settings said.
  origin text NOT NULL CHECK (origin IN ('live', 'latest', 'override')),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, version, logical_name),
  FOREIGN KEY (connector_id, version) REFERENCES versions (connector_id, version) ON DELETE CASCADE
);
CREATE INDEX version_plugins_plugin_id_idx ON version_plugins (plugin_id, connector_id);

-- Raised when what the names of plugins mean changes in the active version.
ALTER TABLE connectors ADD COLUMN plugins_revision integer NOT NULL DEFAULT 0;

-- The key-value store of a plugin, one for each connector.
CREATE TABLE plugin_storage (
  connector_id uuid NOT NULL,
  plugin_id uuid NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  key text NOT NULL,
  value json NOT NULL,
  expires_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, plugin_id, key)
);
CREATE INDEX plugin_storage_expires_at_idx ON plugin_storage (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX plugin_storage_plugin_id_idx ON plugin_storage (plugin_id);

-- Setup and teardown of a plugin on a connector, one row for each cycle.
CREATE TABLE plugin_hooks (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  plugin_id uuid NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  connector_id uuid NOT NULL,
  hook_type text NOT NULL CHECK (hook_type IN ('setup', 'teardown')),
  cycle integer NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'success', 'failed')),
  -- The function that served the connector when the hook was asked for.
  function_arn text NOT NULL,
  function_version text NOT NULL,
  capabilities json NOT NULL,
  response json,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  invoked_at timestamptz(3),
  completed_at timestamptz(3)
);
CREATE UNIQUE INDEX plugin_hooks_cycle_key ON plugin_hooks (plugin_id, connector_id, hook_type, cycle);
CREATE INDEX plugin_hooks_connector_id_idx ON plugin_hooks (connector_id);

-- What plugins logged.
CREATE TABLE plugin_logs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plugin_id uuid NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  level text NOT NULL CHECK (level IN ('debug', 'info', 'warn', 'error')),
  message text NOT NULL,
  function_version text NOT NULL,
  event_id text,
  connector_id uuid
);
CREATE INDEX plugin_logs_plugin_id_at_id_idx ON plugin_logs (plugin_id, at DESC, id DESC);
CREATE INDEX plugin_logs_at_idx ON plugin_logs (at);

-- Invocations of a plugin in one hour. `durations` counts them by classes of duration.
CREATE TABLE plugin_metrics (
  plugin_id uuid NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  hour timestamptz(0) NOT NULL,
  invocations bigint NOT NULL,
  errors bigint NOT NULL,
  retries bigint NOT NULL,
  memory_mb integer NOT NULL,
  durations bigint[] NOT NULL,
  PRIMARY KEY (plugin_id, hour)
);
CREATE INDEX plugin_metrics_hour_idx ON plugin_metrics (hour);

-- The platform `local`: functions, their versions, and code by content.
CREATE TABLE local_function_code (
  organization_id uuid NOT NULL,
  sha256 text NOT NULL,
  code text NOT NULL,
  PRIMARY KEY (organization_id, sha256)
);
CREATE TABLE local_functions (
  function_arn text PRIMARY KEY,
  organization_id uuid NOT NULL,
  latest_sha256 text NOT NULL,
  FOREIGN KEY (organization_id, latest_sha256) REFERENCES local_function_code (organization_id, sha256)
);
CREATE INDEX local_functions_code_idx ON local_functions (organization_id, latest_sha256);
CREATE TABLE local_function_versions (
  function_arn text NOT NULL REFERENCES local_functions (function_arn) ON DELETE CASCADE,
  version integer NOT NULL,
  organization_id uuid NOT NULL,
  sha256 text NOT NULL,
  operation text NOT NULL,
  PRIMARY KEY (function_arn, version),
  FOREIGN KEY (organization_id, sha256) REFERENCES local_function_code (organization_id, sha256)
);
CREATE UNIQUE INDEX local_function_versions_operation_key ON local_function_versions (function_arn, operation);
CREATE INDEX local_function_versions_code_idx ON local_function_versions (organization_id, sha256);
