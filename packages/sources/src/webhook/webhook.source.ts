import { defineSource, type SourceProblem } from '../define-source';
import type { CheckedSource } from '../checked-source';
import { atMostOneOf } from '../shared/one-of-fields';
import { compileRead, maxElements } from './read-call';
import { compileVerify, isSigned } from './verify-call';
import { webhookSchema, type WebhookConfig } from './webhook-config';

/** Signed calls of an external system (docs/reference/config-document.md, Sources). */
export const webhook = defineSource<WebhookConfig>()({
  type: 'webhook',
  title: 'Webhook',
  description: 'Signed calls of an external system to /api/webhooks/{connector_id}/<name>, with a JSON or form body.',
  push: true,
  direction: 'inbound',
  runtime: {
    by: 'receive',
    receive: ({ name, config }) => (
      { signed: isSigned(config), verify: compileVerify(config), read: compileRead(config, `${name}.received`) }
    ),
  },
  defaultEventType: 'received',
  configSchema: webhookSchema,
  limits: [
    { id: 'body_size', text: 'At most 5 MiB per call.' },
    { id: 'elements', text: `At most ${maxElements} elements at split_path.` },
    { id: 'dedupe_window', text: 'A value of dedupe_header or dedupe_path is remembered for 24 hours.' },
  ],
  checks: [
    atMostOneOf('event_type', 'event_type_path', 'event_type_header'),
    atMostOneOf('dedupe_header', 'dedupe_path'),
    timeFitsScheme,
    signatureIsChecked,
    urlTemplateIsTheReceivers,
  ],
  examples: [
    {
      title: 'Orders of a shop',
      config: {
        verify_signature: 'hmac_sha256', signature_header: 'X-Shop-Hmac-Sha256', event_type_header: 'X-Shop-Topic',
        external_id_path: '$.id', dedupe_header: 'X-Shop-Webhook-Id',
      },
    },
    {
      title: 'Payments of Stripe',
      config: {
        signature_scheme: 'stripe', signature_tolerance_seconds: 300, event_type_path: '$.type',
        external_id_path: '$.data.object.id', dedupe_path: '$.id',
      },
    },
    {
      title: 'A batch of changes, signed with the time',
      config: {
        signature_header: 'X-Signature', signature_timestamp_header: 'X-Timestamp', signature_tolerance_seconds: 120,
        split_path: '$.changes', event_type_path: '$.kind', external_id_path: '$.record.id', timestamp_path: '$.at',
      },
    },
  ],
});

/** Where each scheme has the time that is signed: in a header that the source names, in one of its own, nowhere. */
const timeOf = { plain: 'named', stripe: 'in_signature', svix: 'own_header', github: 'none' } as const;

function timeFitsScheme({ config }: CheckedSource<WebhookConfig>): SourceProblem[] {
  const { signature_scheme: scheme = 'plain' } = config;
  const { signature_timestamp_header: header, signature_tolerance_seconds: tolerance } = config;
  const time = timeOf[scheme];
  const meaningless = (field: string, input: unknown): SourceProblem => ({
    code: 'value_error', path: [field], message: `'${field}' has no meaning for the signature scheme ${scheme}`, input,
  });
  if (time === 'named' && tolerance !== undefined && header === undefined)
    return [{
      code: 'missing', path: ['signature_timestamp_header'],
      message: `'signature_tolerance_seconds' requires 'signature_timestamp_header'`,
    }];
  return [
    ...(header !== undefined && (time === 'in_signature' || time === 'none')
      ? [meaningless('signature_timestamp_header', header)]
      : []),
    ...(tolerance !== undefined && time === 'none' ? [meaningless('signature_tolerance_seconds', tolerance)] : []),
  ];
}

const signatureFields = [
  'signature_scheme', 'signature_header', 'signature_timestamp_header', 'signature_tolerance_seconds',
] as const;

/** Whoever names a signature expects that it is checked. */
function signatureIsChecked({ config }: CheckedSource<WebhookConfig>): SourceProblem[] {
  if (isSigned(config)) return [];
  return signatureFields.filter((field) => config[field] !== undefined).map((field) => ({
    code: 'value_error', path: [
      field,
    ], message: `'${field}' has no meaning while 'verify_signature' is none`, input: config[field],
  }));
}

const receiver = '/api/webhooks/{connector_id}/';

function urlTemplateIsTheReceivers({ config: { url_template: template } }: CheckedSource<WebhookConfig>): SourceProblem[] {
  if (template === undefined || template.startsWith(receiver)) return [];
  return [{ code: 'value_error', path: ['url_template'], message: `'url_template' must be ${receiver}<name>`, input: template }];
}
