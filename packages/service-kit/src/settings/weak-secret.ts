import type { SettingDeclaration } from './declaration';

/** Placeholders of secrets in documents and templates. */
const example = /change[-_ ]?me|local-development|<[^>]*>/i;
/** The most common passwords. Another system may have set one; an installation must not. */
const common = /^(?:secret|password|passwd|token|example|test|default|admin)$/i;

/** Of a secret that the installation makes up for itself. */
const least = { characters: 12, different: 6 };
/** The minimum length of any secret. */
const leastAnywhere = 8;
/** Of a key of 32 random bytes about 30 are different. */
const leastDifferentBytes = 16;
const howTo = 'Make one of your own, for example with `openssl rand -hex 24`';
const howToKeys = 'Make one of your own, for example with `echo "k1:$(openssl rand -base64 32)"`';

export interface Weakness {
  /** Follows the setting's name and does not repeat the value. */
  text: string;
  /** `example`: public, or nearly empty. `guessable`: only a warning if only this machine can try it. */
  grade: 'example' | 'guessable';
}

/**
 * Why a secret is weak; null: it may be used. A secret of another system (database, Kafka, CRM) is only checked against examples.
 */
export function weakness(declaration: SettingDeclaration, text: string): Weakness | null {
  if (declaration.type === 'keys') return weakKeys(text);
  if (declaration.type === 'url') return declaration.secret === true ? weakPassword(text) : null;
  if (declaration.type !== 'secret' && declaration.secret !== true) return null;
  if (example.test(text)) return shown(`is an example of the documents. ${howTo}`);
  if (declaration.ownSecret !== true) return null;
  if (common.test(text)) return shown(`is what everybody tries first. ${howTo}`);
  if (text.length >= least.characters && new Set(text).size >= least.different) return null;
  const problem = `is too easy to guess: it needs at least ${least.characters} characters, ${least.different} of them different. ${howTo}`;
  return { text: problem, grade: text.length < leastAnywhere ? 'example' : 'guessable' };
}

const shown = (text: string): Weakness => ({ text, grade: 'example' });

function weakPassword(text: string): Weakness | null {
  return example.test(passwordOf(text)) ? shown('holds a password that is an example of the documents') : null;
}

function passwordOf(text: string): string {
  const { password } = new URL(text);
  try {
    return decodeURIComponent(password);
  } catch {
    // Not percent-encoded: the password is what it looks like.
    return password;
  }
}

/** Random bytes may hold the signs of a placeholder: only bytes that are text as a whole are read as one. */
function isExampleText(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e]*$/.test(text) && example.test(text);
}

function weakKeys(text: string): Weakness | null {
  for (const item of text.split(',')) {
    const bytes = Buffer.from(item.slice(item.indexOf(':') + 1).trim(), 'base64');
    if (isExampleText(bytes)) return shown(`holds a key that is an example of the documents. ${howToKeys}`);
    if (new Set(bytes).size >= leastDifferentBytes) continue;
    return { text: `holds a key that is not random. ${howToKeys}`, grade: 'guessable' };
  }
  return null;
}
