-- The list of connectors in its own order: a page is read, not sorted, whatever was created at the same moment.
DROP INDEX "connectors_organization_id_created_at_idx";
CREATE INDEX "connectors_organization_id_created_at_id_idx" ON "connectors"("organization_id", "created_at" DESC, "id");
