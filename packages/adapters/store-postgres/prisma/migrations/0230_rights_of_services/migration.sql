-- The audit log is only added to: a service's role may not delete of it (docs/deployment.md, database roles). What is too old is
-- deleted by this function, which runs as the owner of the table, and for another role deletes nothing of the last 30 days.
CREATE FUNCTION sluice_delete_old_audit_entries(before timestamptz, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE deleted integer;
BEGIN
  IF session_user <> current_user AND before > clock_timestamp() - interval '30 days' THEN
    before := clock_timestamp() - interval '30 days';
  END IF;
  DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE at < before ORDER BY at LIMIT most);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;
REVOKE ALL ON FUNCTION sluice_delete_old_audit_entries(timestamptz, integer) FROM PUBLIC;

-- Daily partitions are made and dropped as the owner of the tables: the service that does it may not change the schema itself.
ALTER FUNCTION sluice_add_day(text, text, date) SECURITY DEFINER SET search_path = public, pg_temp;
ALTER FUNCTION sluice_drop_days_before(text, text, date) SECURITY DEFINER SET search_path = public, pg_temp;
REVOKE ALL ON FUNCTION sluice_add_day(text, text, date), sluice_drop_days_before(text, text, date) FROM PUBLIC;
