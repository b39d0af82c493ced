import { faultOfHeaderName } from '@sluice/public-address';

/** The characters that undici accepts: no control characters, so that a value cannot start another header. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a text may be the value of a header. */
export const isHeaderValue = (value: string): boolean => valuePattern.test(value);

/** The headers of a request. Each name occurs once, in any spelling: the last value counts. */
export class HeaderSet {
  private readonly byName = new Map<string, [name: string, value: string]>();

  /** @returns why a header cannot be sent; null: all can */
  add(headers: Readonly<Record<string, string>>): string | null {
    for (const [name, value] of Object.entries(headers)) {
      const fault = faultOfHeaderName(name);
      if (fault !== null) return `the header '${name.slice(0, 64)}' ${fault}`;
      if (!isHeaderValue(value)) return `the header '${name}' has a value that no header may carry`;
      this.set(name, value);
    }
    return null;
  }

  set(name: string, value: string): void {
    this.byName.set(name.toLowerCase(), [name, value]);
  }

  get(name: string): string | undefined {
    return this.byName.get(name.toLowerCase())?.[1];
  }

  toObject(): Record<string, string> {
    return Object.fromEntries(this.byName.values());
  }
}
