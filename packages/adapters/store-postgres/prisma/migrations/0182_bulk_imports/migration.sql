-- Bulk imports and their rows.
CREATE TABLE bulk_imports (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  entity text NOT NULL,
  event_type text NOT NULL,
  request_id text NOT NULL,
  -- receiving: its rows are being stored, and nobody sees it.
  status text NOT NULL DEFAULT 'receiving' CHECK (status IN (
    'receiving', 'queued', 'running', 'held', 'completed', 'completed_with_errors', 'cancelled', 'failed')),
  -- Why its rows that wait will not run.
  stop text CHECK (stop IN ('cancelled', 'held_expired')),
  -- 1, and one more with each retry.
  turn integer NOT NULL DEFAULT 1,
  rows_total integer NOT NULL DEFAULT 0,
  rows_done integer NOT NULL DEFAULT 0,
  rows_failed integer NOT NULL DEFAULT 0,
  rows_skipped integer NOT NULL DEFAULT 0,
  -- Rows that earlier turns left behind when they were cancelled.
  rows_cancelled integer NOT NULL DEFAULT 0,
  -- Rows counted in the quota when they were accepted or tried again, less what was given back; rows that were written since.
  rows_reserved integer NOT NULL DEFAULT 0,
  rows_written integer NOT NULL DEFAULT 0,
  -- The last line of the present turn that was published.
  cursor integer NOT NULL DEFAULT 0,
  held_since timestamptz(3),
  error text,
  -- The time of acceptance of all its rows.
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3)
);
CREATE INDEX bulk_imports_connector_id_created_at_id_idx ON bulk_imports (connector_id, created_at DESC, id);
CREATE INDEX bulk_imports_organization_id_created_at_idx ON bulk_imports (organization_id, created_at);

CREATE TABLE bulk_import_rows (
  import_id uuid NOT NULL,
  line integer NOT NULL,
  external_id text,
  -- NULL once it cannot run again.
  properties json,
  -- NULL: it cannot be read.
  event_id text,
  status text NOT NULL CHECK (status IN ('pending', 'completed', 'skipped', 'failed', 'parked')),
  -- The turn of the import in which it waits, or waited last.
  turn integer NOT NULL,
  -- It was counted as written.
  written boolean NOT NULL DEFAULT false,
  crm_id text,
  error text,
  error_code text,
  PRIMARY KEY (import_id, line)
);
CREATE INDEX bulk_import_rows_import_id_status_line_idx ON bulk_import_rows (import_id, status, line);

ALTER TABLE event_index ADD COLUMN import_row text;
