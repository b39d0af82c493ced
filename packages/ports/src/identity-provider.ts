/** What a sign-in elsewhere begins with: where the browser goes, and what its way back is compared with. */
export interface SignInStart {
  url: string;
  checks: SignInChecks;
}

/** They belong to one browser and one sign-in. */
export interface SignInChecks {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

/** Whom the provider has signed in. */
export interface ForeignIdentity {
  /** Issuer and subject together name a person; an address may go from one to another. */
  issuer: string;
  subject: string;
  email: string | null;
  /** Whether the provider vouches that the address is the person's. */
  emailVerified: boolean;
  name: string | null;
}

/** `invalid`: what came back is not what the provider signed for this browser, now. `unavailable`: it does not answer. */
export type ProviderAnswer<T> = ({ ok: true } & T) | { ok: false; reason: 'invalid' | 'unavailable' };

/** Signs people in elsewhere. Throws nothing. */
export interface IdentityProvider {
  start(): Promise<ProviderAnswer<{ start: SignInStart }>>;
  /** @param parameters the query that the browser came back with */
  finish(
    parameters: Readonly<Record<string, string>>, checks: SignInChecks,
  ): Promise<ProviderAnswer<{ identity: ForeignIdentity }>>;
}
