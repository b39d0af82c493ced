/** What the client credentials grant needs (RFC 6749, section 4.4). */
export interface ClientCredentials {
  token_url: string;
  client_id: string;
  client_secret: string;
  scope?: string;
  audience?: string;
}

/** A credential that sources name, opened. Its data is secret. */
export type SourceCredential = AllowedHosts & (
  | { type: 'api_key'; data: { value: string } }
  | { type: 'bearer_token'; data: { token: string } }
  | { type: 'oauth2_client_credentials'; data: ClientCredentials }
  | { type: 'login'; data: { username: string; password: string } }
);

interface AllowedHosts {
  /** Hosts that it may be sent to, as `coversHost` reads them; null or absent: any. */
  allowedHosts?: readonly string[] | null;
}
