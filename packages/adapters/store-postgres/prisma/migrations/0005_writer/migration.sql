-- Claims of events that ended without a record are deleted by their age.
CREATE INDEX identity_claims_pending_idx ON identity_claims (claimed_at) WHERE done_at IS NULL;

-- All mappings of one CRM record, whatever their connectors and external ids: who wrote it last? It also serves what the index by
-- connector served, for a connector is bound to one portal. An index that goes is nothing that code of the older build can miss.
CREATE INDEX identity_mappings_portal_id_object_type_crm_id_idx ON identity_mappings (portal_id, object_type, crm_id);
DROP INDEX identity_mappings_connector_id_object_type_crm_id_idx;
