import { randomBytes } from 'node:crypto';
import { refill } from '../stores/refill';

/** What a bearer token stands for. Portal 0 means the app itself. Epoch ms. */
export interface IssuedToken {
  readonly token: string;
  readonly portalId: number;
  readonly issuedAt: number;
  /** Tokens a portal starts with never expire, like private app tokens. */
  readonly expires: boolean;
  /** Of app tokens: what was asked for. */
  readonly scopes?: readonly string[];
}

export interface RefreshToken {
  readonly token: string;
  readonly portalId: number;
}

/** Access tokens kept at most; the oldest refreshed ones are forgotten beyond this. */
const maxTokens = 50_000;

/** All tokens of the simulator. */
export class AccessTokens {
  readonly #access = new Map<string, IssuedToken>();
  readonly #refresh = new Map<string, RefreshToken>();
  readonly #usedCodes = new Set<string>();

  /** Everything, as plain data. */
  dump(): { access: Map<string, IssuedToken>; refresh: Map<string, RefreshToken>; usedCodes: Set<string> } {
    return { access: this.#access, refresh: this.#refresh, usedCodes: this.#usedCodes };
  }

  /** Takes over what `dump` gave, in place of everything known. */
  load(dump: ReturnType<AccessTokens['dump']>): void {
    refill(this.#access, dump.access);
    refill(this.#refresh, dump.refresh);
    this.#usedCodes.clear();
    for (const code of dump.usedCodes) this.#usedCodes.add(code);
  }

  /** The fixed pair a portal starts with. */
  addPortal(portalId: number): { accessToken: string; refreshToken: string } {
    const accessToken = `sim-access-${portalId}`;
    const refreshToken = `sim-refresh-${portalId}`;
    this.#access.set(accessToken, { token: accessToken, portalId, issuedAt: 0, expires: false });
    this.#refresh.set(refreshToken, { token: refreshToken, portalId });
    return { accessToken, refreshToken };
  }

  /** A fresh access token; `scopes` only for app tokens (portal 0). */
  issue(portalId: number, now: number, scopes?: readonly string[]): IssuedToken {
    const made: IssuedToken = {
      token: `sim-${portalId === 0 ? 'app' : `access-${portalId}`}-${randomBytes(24).toString('base64url')}`,
      portalId,
      issuedAt: now,
      expires: true,
      scopes,
    };
    this.#access.set(made.token, made);
    if (this.#access.size > maxTokens) for (const [token, { expires }] of this.#access) {
      if (!expires) continue;
      this.#access.delete(token);
      break;
    }
    return made;
  }

  access(token: string): IssuedToken | undefined {
    return this.#access.get(token);
  }

  refresh(token: string): RefreshToken | undefined {
    return this.#refresh.get(token);
  }

  /** Makes a refresh token useless; false when it was not known. */
  revokeRefresh(token: string): boolean {
    return this.#refresh.delete(token);
  }

  revokeAccess(token: string): boolean {
    return this.#access.delete(token);
  }

  /** Everything of a portal, as an uninstall does. */
  revokePortal(portalId: number): void {
    for (const [token, held] of this.#access) if (held.portalId === portalId) this.#access.delete(token);
    for (const [token, held] of this.#refresh) if (held.portalId === portalId) this.#refresh.delete(token);
  }

  /** Authorization codes are `sim-code-<portal>[-anything]`, good once. */
  redeemCode(code: string): number | undefined {
    const match = /^sim-code-(\d+)(-.*)?$/.exec(code);
    if (!match || this.#usedCodes.has(code)) return undefined;
    this.#usedCodes.add(code);
    return Number(match[1]);
  }

  /** The refresh token of a portal after an install, made again when it had been revoked. */
  refreshTokenOf(portalId: number): string {
    for (const held of this.#refresh.values()) if (held.portalId === portalId) return held.token;
    const token = `sim-refresh-${portalId}`;
    this.#refresh.set(token, { token, portalId });
    return token;
  }
}
