-- Work that runs in the background under a lease (docs/architecture.md, Background work).
CREATE TABLE background_tasks (
  worker text NOT NULL,
  key text NOT NULL,
  tenant text NOT NULL DEFAULT '',
  -- When its work was due. free_at: when it may be claimed; a claim moves it to the end of the lease.
  due_at timestamptz(3) NOT NULL,
  free_at timestamptz(3) NOT NULL,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  -- It was made due while it ran: it runs again.
  woken boolean NOT NULL DEFAULT false,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  last_owner text,
  error text,
  PRIMARY KEY (worker, key)
);
CREATE INDEX background_tasks_free ON background_tasks (worker, free_at);
CREATE INDEX background_tasks_owner ON background_tasks (owner) WHERE owner IS NOT NULL;
-- Rows change often and keep their size.
ALTER TABLE background_tasks SET (fillfactor = 70);
