-- Hosts that a credential may be sent to; empty: any.
ALTER TABLE "credentials" ADD COLUMN "allowed_hosts" TEXT[] NOT NULL DEFAULT '{}';
