import { generate } from 'selfsigned';

/** A key for localhost and 127.0.0.1, with a certificate signed by itself: what a client must trust. */
export async function testCertificate(): Promise<{ key: string; cert: string }> {
  const names = [{ type: 2, value: 'localhost' }, { type: 7, ip: '127.0.0.1' }] as const;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec', algorithm: 'sha256', extensions: [{ name: 'subjectAltName', altNames: [...names] }],
  });
  return { key, cert };
}
