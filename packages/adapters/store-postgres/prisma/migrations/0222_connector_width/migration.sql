-- The width before the last raise, and when that begins; null: never raised.
ALTER TABLE "connectors" ADD COLUMN "width_before" INTEGER;
ALTER TABLE "connectors" ADD COLUMN "width_from" TIMESTAMPTZ(3);
