/** Blocks of the Dockerfile: for each service the stage that collects its files, and its image. */

import { nodeOptions } from './node-options.mjs';

/** @param {{ services: any[] }} list */
export const dockerFiles = ({ services }) => services.map(({ name }) => filesStage(name)).join('\n');

const filesStage = (name) => `FROM build AS ${name}-files
RUN pnpm --filter @sluice/${name} --config.inject-workspace-packages=true --offline deploy --prod /app \\
 && rm -rf /app/src && find /app/node_modules/.pnpm -path '*/node_modules/@sluice/*/src' -prune -exec rm -rf {} +
`;

/** @param {{ services: any[] }} list */
export const dockerImages = ({ services }) => services.map(image).join('\n');

const image = ({ name, summary, semiSpace }) => `FROM runtime AS ${name}
LABEL org.opencontainers.image.title="sluice-${name}" org.opencontainers.image.description="${summary}"
${semiSpace === undefined ? '' : `ENV NODE_OPTIONS="${nodeOptions({ semiSpace })}"\n`}COPY --from=${name}-files /app /app
`;
