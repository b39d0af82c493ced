-- Messages that the log will never take stay here, with the reason, and are not handed over again (ADR 0042).
ALTER TABLE outbox ADD COLUMN set_aside_at timestamptz(3), ADD COLUMN reason text;
