-- An organization may switch the assistant off (docs/reference/assistant.md).
ALTER TABLE organizations ADD COLUMN assistant_off boolean NOT NULL DEFAULT false;
