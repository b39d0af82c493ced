import { secretMask } from '@sluice/ports';

/** Connectors and credentials whose secrets are known, and secrets of each: those that were not used for longest go first. */
const [keptOwners, keptSecrets] = [10_000, 64];

/**
 * The secrets that steps have used, by whom they belong to: a connector (the credentials of its destinations) or a credential
 * (the tokens of a portal). Step traces are masked with them.
 */
export class UsedSecrets {
  private readonly owners = new Map<string, Secrets>();

  add(owner: string, secrets: readonly string[]): void {
    if (secrets.length === 0) return;
    const known = this.owners.get(owner) ?? { values: new Set(), mask: null };
    this.owners.delete(owner);
    this.owners.set(owner, known);
    if (this.owners.size > keptOwners) this.owners.delete(this.owners.keys().next().value as string);
    for (const secret of secrets) keep(known, secret);
  }

  /** The mask includes secrets that are added later, because a step uses its secrets while it runs. */
  maskOf(owners: readonly string[]): (text: string) => string {
    return (text) => {
      let rest = text;
      for (const owner of owners) rest = this.ofOwner(owner, rest);
      return rest;
    };
  }

  private ofOwner(owner: string, text: string): string {
    const known = this.owners.get(owner);
    if (!known) return text;
    known.mask ??= secretMask(known.values);
    return known.mask(text);
  }
}

interface Secrets {
  values: Set<string>;
  /** The mask of these values; null: not made yet. */
  mask: ((text: string) => string) | null;
}

function keep(known: Secrets, secret: string): void {
  const isNew = !known.values.delete(secret);
  known.values.add(secret);
  if (known.values.size > keptSecrets) known.values.delete(known.values.values().next().value as string);
  if (isNew) known.mask = null;
}
