-- A suspended organization that closes and reopens is suspended again.
ALTER TABLE organizations ADD COLUMN reopens_suspended boolean NOT NULL DEFAULT false;
