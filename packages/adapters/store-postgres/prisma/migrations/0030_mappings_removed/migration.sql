-- Counts the identity mappings removed by hand: what the runners remember of the connector's mappings is looked up again then.
ALTER TABLE connectors ADD COLUMN mappings_removed integer NOT NULL DEFAULT 0;
