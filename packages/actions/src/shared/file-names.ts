/** Longest name of a file that file systems and the CRM accept. */
const maxLength = 255;

/** A name that is one part of a path: separators and control characters become `_`. null: there is none. */
export function fileNameOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const name = String(value).replace(/[/\\\u0000-\u001f\u007f]/g, '_').trim().slice(-maxLength);
  return name === '' || name === '.' || name === '..' ? null : name;
}

/** Where files go whose step names no folder. */
const ownFolder = '/sluice';

/** An absolute folder: values of the event cannot leave it. */
export function folderOf(value: unknown): string {
  const parts = typeof value === 'string' ? value.split('/').map((part) => fileNameOf(part)) : [];
  const path = parts.filter((part) => part !== null).join('/');
  return path === '' ? ownFolder : `/${path}`;
}
