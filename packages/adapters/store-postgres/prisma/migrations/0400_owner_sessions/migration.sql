-- The session of each owner of a partition: when a process dies its session ends, and its partitions need not wait for the lease.
-- An older version of the service changes the owner alone: then session_owner is not the owner, and only the lease counts.
ALTER TABLE partition_owners
  ADD COLUMN session_owner text,
  ADD COLUMN session_pid integer,
  ADD COLUMN session_start timestamptz(6),
  ADD COLUMN renewed_at timestamptz(6),
  ADD COLUMN calls_end_ms integer;
