import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { ExpressionError } from '../expressions/expression-error';
import { arg, cannot, ok, onText, parametric, textBuiltin, type TransformDefinition, type TransformResult } from './transform';

const email = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/;
const domain =
  /^(?=.{1,253}$)[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)+$/u;

/** E-mail addresses, phone numbers and web domains in their usual written form. */
export const contactTransforms: readonly TransformDefinition[] = [
  textBuiltin('normalize_email', 'Trimmed, lower case; an error when it is no e-mail address.', normalizeEmail),
  textBuiltin('normalize_phone', 'E.164, for example +4930123456; the number must carry its country code.', (text) =>
    normalizePhone(text),
  ),
  textBuiltin(
    'normalize_domain',
    'The bare domain in lower case of a domain, URL or e-mail address, without www.',
    normalizeDomain,
  ),
  parametric(
    'normalize_phone_in',
    'E.164; a number without country code is read as one of the country.',
    [arg('country', 'string', true, 'Two-letter country code, for example DE.')],
    (args) => {
      const country = String(args.country).toUpperCase();
      if (!isSupportedCountry(country))
        throw new ExpressionError('transform', `'${String(args.country)}' is not a two-letter country code`);
      return { apply: onText((text) => normalizePhone(text, country)) };
    },
  ),
];

function normalizeEmail(text: string): TransformResult {
  const address = text
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase();
  return email.test(address) ? ok(address) : cannot('it is no e-mail address');
}

function normalizePhone(text: string, country?: CountryCode): TransformResult {
  const international = text.trim().replace(/^00(?=[1-9])/, '+');
  const number = parsePhoneNumberFromString(
    country ? text : international,
    country ? { defaultCountry: country, extract: false } : { extract: false },
  );
  return number?.isPossible()
    ? ok(number.number)
    : cannot(country ? 'it is no phone number' : 'it is no phone number with a country code');
}

function normalizeDomain(text: string): TransformResult {
  const trimmed = text.trim().toLowerCase();
  const afterScheme = trimmed.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/^mailto:/, '');
  const authority = afterScheme.split(/[/?#]/, 1)[0] ?? '';
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
    .replace(/^www\./, '');
  return domain.test(host) ? ok(host) : cannot('it holds no domain');
}
