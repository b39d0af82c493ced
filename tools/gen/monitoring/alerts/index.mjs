import { accepting } from './accepting.mjs';
import { installation } from './installation.mjs';
import { outside } from './outside.mjs';
import { processing } from './processing.mjs';

/**
 * Every alert, by what it is about.
 * @typedef {object} Alert
 * @property {string} name
 * @property {'critical' | 'warning'} severity `critical`: somebody must look at once
 * @property {string} expr PromQL
 * @property {string} lasts how long it must hold
 * @property {string} symptom a sentence, also the alert's summary
 * @property {string[]} look what to look at
 * @property {string} cause
 * @property {string[]} act what to do
 * @property {{ labels: Record<string, string>, series: Record<string, string> }} fires series with which it must fire, and its labels then
 * @property {Record<string, string>} quiet series with which it must not
 */
/** @type {{ title: string, name: string, alerts: Alert[] }[]} */
export const alertGroups = [
  { title: 'Accepting', name: 'sluice-accepting', alerts: accepting },
  { title: 'Processing', name: 'sluice-processing', alerts: processing },
  { title: 'The CRM and destinations', name: 'sluice-outside', alerts: outside },
  { title: 'The installation', name: 'sluice-installation', alerts: installation },
];
