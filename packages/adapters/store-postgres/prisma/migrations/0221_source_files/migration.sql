-- Files of sources of type file: those that were uploaded, and those that were found in a watched folder.
CREATE TABLE source_files (
  id uuid PRIMARY KEY,
  connector_id uuid NOT NULL REFERENCES connectors (id) ON DELETE CASCADE ON UPDATE CASCADE,
  source_name text NOT NULL,
  filename text NOT NULL,
  -- SHA-256 of the content, hexadecimal: the same name and content are the same file.
  digest text NOT NULL,
  bytes bigint NOT NULL,
  -- Where its content is until all rows are queued.
  blob_key text,
  status text NOT NULL DEFAULT 'received',
  -- Rows that were read so far; those of the whole file once it is completed.
  rows_total bigint NOT NULL DEFAULT 0,
  rows_queued bigint NOT NULL DEFAULT 0,
  rows_discarded bigint NOT NULL DEFAULT 0,
  error text,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3)
);
CREATE UNIQUE INDEX source_files_content ON source_files (connector_id, source_name, filename, digest);
CREATE INDEX source_files_received ON source_files (connector_id, source_name, received_at DESC, id);

-- Rows that are no events. Their content is not kept.
CREATE TABLE source_file_discards (
  file_id uuid NOT NULL REFERENCES source_files (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Line of the file where the row begins, from 1.
  line bigint NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (file_id, line)
);
