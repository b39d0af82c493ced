import { defineSettings } from '../define-settings';

/** Addresses and what may reach them. */
export const networkSettings = defineSettings({
  port: {
    env: 'SLUICE_PORT',
    type: 'integer',
    min: 0,
    max: 65_535,
    default: '8080',
    description: 'The public address of `npm start`, or the port of a service that runs by itself.',
  },
  host: {
    env: 'SLUICE_HOST',
    type: 'string',
    default: 'all',
    defaultText: '`loopback` for `npm start`, else `all`',
    description: 'Address to listen on. `all`: every address of the machine; `loopback`: only this machine reaches it.',
  },
  metricsPort: {
    env: 'SLUICE_METRICS_PORT',
    type: 'integer',
    min: 0,
    max: 65_535,
    defaultText: '(unset: with the API)',
    description:
      'Port of their own for `/metrics`, `/livez` and `/readyz`, at the address of `SLUICE_HOST`: then the port of the API does not serve them.',
  },
  publicUrl: {
    env: 'SLUICE_PUBLIC_URL',
    type: 'url',
    defaultText: 'from the port',
    description: 'Base of the links the product hands out.',
  },
  allowPrivateTargets: {
    env: 'SLUICE_ALLOW_PRIVATE_TARGETS',
    type: 'boolean',
    default: 'off',
    defaultText: '`on` for `npm start`, else `off`',
    description: 'Whether outbound calls may reach private and loopback addresses.',
  },
  deniedTargets: {
    env: 'SLUICE_DENIED_TARGETS',
    type: 'networks',
    description:
      'Addresses and networks that outbound calls never reach, also where private targets are allowed: `10.1.2.3,10.20.0.0/16`. '
      + 'The metadata services of clouds never are.',
  },
  trustProxy: {
    env: 'SLUICE_TRUST_PROXY',
    type: 'integer',
    min: 0,
    max: 10,
    default: '0',
    description: 'Number of reverse proxies in front whose `X-Forwarded-*` headers are believed.',
  },
});
