/** The table of docs/deployment.md that tells what runs. */

const scaling = {
  hand: ({ replicas }) => `${replicas} for availability`,
  cpu: ({ min, max, percent }) => `CPU (${percent} %), ${min} to ${max}`,
};

/** @param {{ services: any[] }} list */
export const documentRows = ({ services }) => head + services.map((service) => `| ${cells(service).join(' | ')} |\n`).join('');

const head = '| Service | Does | Answers | Secrets | Calls out | Scaled by |\n|---|---|---|---|---|---|\n';

function cells({ name, summary, publicPaths, internalPaths = [], secrets, callsOut, scaling: how }) {
  const paths = [...publicPaths, ...internalPaths.map((path) => `${path} (inside only)`)].map((path) => path.replace(/^\S+/, '`$&`'));
  return [name, summary, paths.join(', ') || '-', secrets.map((secret) => `\`sluice-${secret}\``).join(', ') || '-', callsOut ? 'yes' : 'no', scaling[how.by](how)];
}
