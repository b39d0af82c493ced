-- Data exports: what was asked for, and the package that was made of it.
CREATE TABLE data_exports (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  connector_id uuid,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'expired')),
  requested_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  expires_at timestamptz(3),
  size_bytes bigint,
  error text,
  categories text[] NOT NULL DEFAULT '{}',
  rows_done bigint NOT NULL DEFAULT 0,
  rows_total bigint NOT NULL DEFAULT 0,
  -- Raised when what it shall hold has changed: a run that began before prepares it again.
  generation integer NOT NULL DEFAULT 0,
  package_key text,
  -- Every package that runs may have stored, until it is deleted.
  stored_keys text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX data_exports_organization_id_created_at_id_idx ON data_exports (organization_id, created_at DESC, id DESC);
CREATE INDEX data_exports_expires_at_idx ON data_exports (expires_at) WHERE status = 'completed';
CREATE INDEX data_exports_stored_idx ON data_exports (status) WHERE stored_keys <> '{}';
