import { Secret, TOTP } from 'otpauth';
import qrcode from 'qrcode-generator';
import { stepWindow } from '@sluice/ports';

const issuer = 'Sluice';
/** Bytes of a secret: as many as the hash has (RFC 4226, section 4). */
const secretBytes = 20;
const periodS = 30;

/** What an authenticator needs to know. */
export interface Enrollment {
  /** Base32. */
  secret: string;
  otpauthUrl: string;
  /** The same as an image. */
  qrSvg: string;
}

export function newEnrollment(email: string): Enrollment {
  const secret = new Secret({ size: secretBytes });
  const otpauthUrl = totpOf(secret.base32, email).toString();
  const qr = qrcode(0, 'M');
  qr.addData(otpauthUrl);
  qr.make();
  return { secret: secret.base32, otpauthUrl, qrSvg: qr.createSvgTag({ scalable: true }) };
}

/**
 * The time step whose code it is: the present one or a neighbour; null: none of them.
 * @param now milliseconds since the epoch
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const delta = totpOf(secret).validate({ token: digits, timestamp: now, window: stepWindow });
  return delta === null ? null : Math.floor(now / 1_000 / periodS) + delta;
}

const totpOf = (secret: string, label = issuer): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodS });
