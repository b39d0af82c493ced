import type { CallFailure, CallResult } from '@sluice/ports';

/** The part before the base64 of a data URL (RFC 2397). */
const dataUrlHead = /^data:[^,]{0,256};base64,/;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const permanent = (code: CallFailure['code'], message: string): CallFailure => ({ ok: false, kind: 'permanent', code, message });

const tooLarge = (maxBytes: number): CallFailure =>
  permanent('file_too_large', `the file is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`);

/** The bytes of a file that the event brings: base64 or a data URL. */
export function fileContent(base64Text: string, maxBytes: number): CallResult<Buffer> {
  const text = base64Text.replace(dataUrlHead, '').replace(/\s+/g, '');
  if (!base64.test(text)) return permanent('file_unreadable', 'the content of the file is not base64');
  if ((text.length * 3) / 4 > maxBytes + 2) return tooLarge(maxBytes);
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > maxBytes ? tooLarge(maxBytes) : { ok: true, value: bytes };
}
