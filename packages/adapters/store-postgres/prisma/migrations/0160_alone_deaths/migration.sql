-- Deaths while the unit was the only one in hand: only these end a unit (ADR 0048).
ALTER TABLE watched_units
  ADD COLUMN alone_deaths integer NOT NULL DEFAULT 0,
  ADD COLUMN alone boolean NOT NULL DEFAULT false;
