-- Calls of the legacy-compatible ingress, stored before their events are queued. request: as it came, with its keys in order.
CREATE TABLE compat_calls (
  call_id text PRIMARY KEY,
  connector_id uuid NOT NULL,
  event_type text NOT NULL,
  split text NOT NULL,
  request json NOT NULL,
  units integer NOT NULL,
  run text NOT NULL DEFAULT 'first',
  queued boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX compat_calls_created_at_idx ON compat_calls (created_at);
