-- Caps of first syncs (docs/reference/events.md, First-sync write cap). A connector without a row has none.
CREATE TABLE write_caps (
  connector_id uuid PRIMARY KEY REFERENCES connectors (id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('armed', 'tripped', 'releasing', 'settling', 'released')),
  write_limit integer NOT NULL,
  -- Records written, as far as their batches have ended.
  writes integer NOT NULL DEFAULT 0,
  tripped_at timestamptz(3),
  -- When its present state began.
  since timestamptz(3) NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
-- Most caps are released or still armed: background work looks for the others, and for those that are reached.
CREATE INDEX write_caps_moving ON write_caps (state) WHERE state IN ('releasing', 'settling');

-- Writes of batches under way, which count as written when they are not settled in time.
CREATE TABLE write_cap_reservations (
  id uuid PRIMARY KEY,
  connector_id uuid NOT NULL REFERENCES write_caps (connector_id) ON DELETE CASCADE,
  writes integer NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX write_cap_reservations_connector ON write_cap_reservations (connector_id);
