const pattern = /^[A-Za-z0-9._/-]{1,512}$/;

/** Whether a blob may be called that: `[A-Za-z0-9._/-]`, at most 512 characters, no empty, `.` or `..` part. */
export function isBlobKey(key: string): boolean {
  return pattern.test(key) && key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
