-- Verifications of many records, and what they found.
CREATE TABLE verifications (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  entity text NOT NULL,
  -- Which records: sample, external_ids or since.
  request json NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  -- The records were chosen.
  chosen boolean NOT NULL DEFAULT false,
  checked integer NOT NULL DEFAULT 0,
  matched integer NOT NULL DEFAULT 0,
  mismatched integer NOT NULL DEFAULT 0,
  missing integer NOT NULL DEFAULT 0,
  not_verifiable integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3)
);
CREATE INDEX verifications_connector_id_created_at_id_idx ON verifications (connector_id, created_at DESC, id);

CREATE TABLE verification_rows (
  verification_id uuid NOT NULL,
  n integer NOT NULL,
  external_id text NOT NULL,
  crm_id text,
  -- NULL: it was not looked at.
  status text CHECK (status IN ('matched', 'mismatched', 'missing', 'not_verifiable')),
  properties json NOT NULL DEFAULT '[]',
  -- Rows of sync_events whose runs wrote what differs, in the order of their acceptance.
  repaired_by uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (verification_id, n)
);

-- What was written of a record. An external id may be too long for an index.
CREATE INDEX sync_events_landed ON sync_events (connector_id, entity_name, md5(external_id))
  WHERE status IN ('completed', 'partial_success') AND external_id IS NOT NULL;
