-- Second factors: secrets, recovery codes, and sign-ins whose second step is open.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  sealed text NOT NULL,
  enrolled_at timestamptz(3) NOT NULL DEFAULT now(),
  confirmed_at timestamptz(3),
  taken_steps bigint[] NOT NULL DEFAULT '{}',
  wrong_codes integer NOT NULL DEFAULT 0,
  locked_until timestamptz(3)
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  code_hash text NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE sign_in_challenges (
  token_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  elsewhere boolean NOT NULL
);
CREATE INDEX sign_in_challenges_user_id_idx ON sign_in_challenges (user_id);
CREATE INDEX sign_in_challenges_expires_at_idx ON sign_in_challenges (expires_at);
