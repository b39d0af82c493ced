-- Installs from the CRM's marketplace that wait for an organization.
CREATE TABLE crm_installs (
  id uuid PRIMARY KEY,
  token_hash text NOT NULL,
  sealed text,
  portal_id text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{}',
  token_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  consumed_at timestamptz(3)
);
CREATE UNIQUE INDEX crm_installs_token_hash_key ON crm_installs (token_hash);
CREATE INDEX crm_installs_expires_at_idx ON crm_installs (expires_at);
