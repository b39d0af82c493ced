-- Members, invitations, and mails that wait to be sent.
ALTER TABLE users ADD COLUMN name text, ADD COLUMN mfa_enabled_at timestamptz(3), ADD COLUMN deactivated_at timestamptz(3);

ALTER TABLE organizations ADD COLUMN closes_at timestamptz(3);
CREATE INDEX organizations_closes_at_idx ON organizations (closes_at) WHERE closes_at IS NOT NULL;

-- Of a person without an organization: null.
ALTER TABLE sessions ALTER COLUMN organization_id DROP NOT NULL;
CREATE INDEX sessions_organization_id_idx ON sessions (organization_id);

CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  email text NOT NULL,
  role text NOT NULL,
  token_hash text NOT NULL,
  invited_by_id uuid REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
CREATE INDEX invitations_organization_id_email_idx ON invitations (organization_id, email);
CREATE INDEX invitations_invited_by_id_idx ON invitations (invited_by_id);

CREATE TABLE mail_tokens (
  token_hash text PRIMARY KEY,
  purpose text NOT NULL,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  address text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  consumed_at timestamptz(3)
);
CREATE INDEX mail_tokens_user_id_purpose_idx ON mail_tokens (user_id, purpose);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens (expires_at);

-- Nothing has written a mail until now.
DROP TABLE mails;
CREATE TABLE mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  recipient text NOT NULL,
  sealed text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  end_reason text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  last_error text
);
CREATE INDEX mails_waiting_idx ON mails (next_attempt_at) WHERE ended_at IS NULL;
CREATE INDEX mails_recipient_created_at_idx ON mails (recipient, created_at);
CREATE INDEX mails_expires_at_idx ON mails (expires_at);
