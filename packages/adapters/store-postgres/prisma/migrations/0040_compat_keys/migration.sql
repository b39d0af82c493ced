-- Secrets that legacy systems send to the legacy-compatible ingress of a connector, hashed. A value is imported once per connector.
CREATE TABLE compat_keys (
  id uuid PRIMARY KEY,
  connector_id uuid NOT NULL REFERENCES connectors (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  label text NOT NULL,
  key_hash text NOT NULL,
  created_by_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX compat_keys_connector_id_key_hash_key ON compat_keys (connector_id, key_hash);
