-- A unit whose write got no answer: until when that write may still land, and, once the unit has ended, the rows that wait for it.
ALTER TABLE held_events ADD COLUMN may_land_until timestamptz(3), ADD COLUMN ending json;
