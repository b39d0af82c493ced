-- The journal of the CRM is read from the present of a portal on: changes from before the connector was bound to it are none of its.
ALTER TABLE connectors ADD COLUMN bound_at timestamptz(3);
