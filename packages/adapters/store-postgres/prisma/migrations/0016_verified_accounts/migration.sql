-- Null: nobody made sure that the address is the user's. Accounts that an operator created are verified; those that signed up themselves
-- asked for a trial, given or not.
ALTER TABLE "users" ADD COLUMN "verified_at" TIMESTAMPTZ(3);
UPDATE users SET verified_at = created_at WHERE NOT EXISTS (
  SELECT 1 FROM memberships m JOIN organizations o ON o.id = m.organization_id
  WHERE m.user_id = users.id AND m.role = 'owner'
    AND (o.trial_blocked IS NOT NULL OR EXISTS (SELECT 1 FROM trial_uses t WHERE t.organization_id = o.id))
);

-- Unverified accounts alone have used up trials until now: companies get theirs back.
DELETE FROM trial_uses WHERE key LIKE 'domain:%';
