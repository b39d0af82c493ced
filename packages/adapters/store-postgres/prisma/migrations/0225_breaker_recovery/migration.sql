-- The oldest event that waits for a flow breaker is found from the heads of its scopes.
CREATE INDEX held_scopes_breaker_idx ON held_scopes (connector_id) WHERE reason IN ('breaker_open', 'fatal');
