-- Conversations with the assistant (docs/reference/assistant.md).
CREATE TABLE assistant_sessions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  -- Who opened it; null: a key.
  user_email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  used_at timestamptz(3) NOT NULL DEFAULT now(),
  tool_calls integer NOT NULL DEFAULT 0,
  last_event bigint NOT NULL DEFAULT 0,
  -- The last event before the newest turn.
  turn_after bigint NOT NULL DEFAULT 0,
  -- The turn under way, and until when its process has the session.
  turn_id uuid,
  turn_holder text,
  turn_until timestamptz(3)
);
CREATE INDEX assistant_sessions_connector ON assistant_sessions (connector_id, created_at DESC, id);
CREATE INDEX assistant_sessions_used ON assistant_sessions (used_at);

CREATE TABLE assistant_messages (
  id bigserial PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES assistant_sessions (id) ON DELETE CASCADE,
  role text NOT NULL,
  content text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX assistant_messages_session ON assistant_messages (session_id, id);

CREATE TABLE assistant_events (
  session_id uuid NOT NULL REFERENCES assistant_sessions (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  event text NOT NULL,
  data json NOT NULL,
  PRIMARY KEY (session_id, seq)
);

CREATE TABLE assistant_proposals (
  id uuid PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES assistant_sessions (id) ON DELETE CASCADE,
  status text NOT NULL,
  summary text NOT NULL,
  patch json NOT NULL,
  base_version integer NOT NULL,
  hash text NOT NULL,
  changes json NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX assistant_proposals_session ON assistant_proposals (session_id, created_at);

-- New sessions of an organization by UTC day, and tokens by month.
CREATE TABLE assistant_days (
  organization_id uuid NOT NULL,
  day date NOT NULL,
  sessions integer NOT NULL,
  PRIMARY KEY (organization_id, day)
);
CREATE TABLE assistant_months (
  organization_id uuid NOT NULL,
  month date NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (organization_id, month)
);
