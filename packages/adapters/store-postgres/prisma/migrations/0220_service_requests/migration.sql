-- Requests of one service that another one answers. They live as long as somebody waits for the answer.
CREATE TABLE service_requests (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  body json NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- null: not answered. An answer may be null in JSON.
  answer json
);
CREATE INDEX service_requests_asked_at_idx ON service_requests (asked_at);
