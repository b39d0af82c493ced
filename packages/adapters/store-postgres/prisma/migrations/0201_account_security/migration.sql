-- From where a session was opened, when it was used last, and when it ends however often it is refreshed.
ALTER TABLE sessions
  ADD COLUMN ip text,
  ADD COLUMN user_agent text,
  ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN ends_at timestamptz(3) NOT NULL DEFAULT now() + interval '90 days';
UPDATE sessions SET last_used_at = created_at, ends_at = created_at + interval '90 days';

-- Of a change of address: what it changes to, and the code beside the link.
ALTER TABLE mail_tokens ADD COLUMN new_address text, ADD COLUMN code_hash text, ADD COLUMN attempts integer NOT NULL DEFAULT 0;
