import type { CallFailure, CallResult, FileUploadRequest } from '@sluice/ports';
import type { FileWork } from './file-work';

/** The part before the base64 of a data URL (RFC 2397). */
const dataUrlHead = /^data:[^,]{0,256};base64,/;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

const permanent = (code: CallFailure['code'], message: string): CallFailure => ({ ok: false, kind: 'permanent', code, message });

const tooLarge = (maxBytes: number): CallFailure =>
  permanent('file_too_large', `the file is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`);

/** The bytes of a file: from base64 in the event, a data URL, or the content of an address. */
export async function fileContent(
  source: FileUploadRequest['source'], { downloads, maxBytes }: Pick<FileWork, 'downloads' | 'maxBytes'>,
): Promise<CallResult<Buffer>> {
  if ('url' in source) return downloads.read(source.url, { maxBytes });
  const text = source.base64.replace(dataUrlHead, '').replace(/\s+/g, '');
  if (!base64.test(text)) return permanent('file_unreadable', 'the content of the file is not base64');
  if ((text.length * 3) / 4 > maxBytes + 2) return tooLarge(maxBytes);
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > maxBytes ? tooLarge(maxBytes) : { ok: true, value: bytes };
}
