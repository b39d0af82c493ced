-- Properties that an event and an edit outside of Sluice both wanted to set: written with the outcome of the event.
CREATE TABLE write_conflicts (
  id uuid PRIMARY KEY,
  connector_id uuid NOT NULL,
  entity_name text NOT NULL,
  external_id text,
  crm_id text NOT NULL,
  property text NOT NULL,
  source_value text,
  target_value text,
  target_modified_at timestamptz(3),
  target_modified_by text,
  winner text NOT NULL CHECK (winner IN ('source', 'target')),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX write_conflicts_connector_id_created_at_id_idx ON write_conflicts (connector_id, created_at DESC, id DESC);
CREATE INDEX write_conflicts_created_at_idx ON write_conflicts (created_at);
