-- How far the change journal of the CRM was read: one row, because the app has one journal over all portals.
CREATE TABLE crm_journal (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Of the last file that was read whole; NULL: it is read from its beginning.
  journal_offset text,
  read_at timestamptz(3) NOT NULL DEFAULT now()
);
