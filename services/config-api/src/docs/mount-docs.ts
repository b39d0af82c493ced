import { dirname } from 'node:path';
import * as contracts from '@sluice/contracts';
import { openApiDocument, type RouteContract } from '@sluice/contracts';
import { preparedDocument } from '@sluice/service-kit';
import type { Express, RequestHandler } from 'express';
import { configBodies, configBodySchemas } from './config-body-schemas';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sluice API</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true, tryItOutEnabled: true });\n`;

/** Not read from the package's index, which would load and run the whole viewer. */
const viewerFolder = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files of the viewer's package that the page loads; no other file of it is served. */
const viewerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The page runs only scripts served here; the viewer sets inline styles. */
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'self'";

const description = `Synchronizes business events into a CRM: config plane and event plane.

Every answer carries \`X-Request-ID\`, every error the body \`{detail}\`. Beside what a route names, a request that cannot be read as HTTP is answered
400 \`Bad Request\`, one whose headers or body do not arrive in time 408 \`Request Timeout\`, an expectation other than 100-continue 417 \`Expectation Failed\`,
headers over 16 KiB 431 \`Request Header Fields Too Large\`, a method that the path does not have 405 \`Method Not Allowed\`.`;

export interface DocsOptions {
  version: string;
  publicUrl(): string;
}

/** Serves `/api/openapi.json` and the browsable `/docs`, both from the contracts. */
export function mountDocs(app: Express, { version, publicUrl }: DocsOptions): void {
  const routes = publicRoutes();
  const document = openApiDocument({
    title: 'Sluice', version, description, routes, schemas: configBodySchemas, bodies: configBodies,
  });
  app.get('/api/openapi.json', openApiHandler(document, publicUrl));
  app.use('/docs', ownPolicy);
  app.get('/docs', (_request, response) => void response.type('html').send(page));
  app.get('/docs/start.js', (_request, response) => void response.type('js').send(start));
  // By root: the package may lie under a folder that begins with a dot, which the file server takes for hidden.
  const options = { root: viewerFolder, maxAge: '1h' };
  for (const file of viewerFiles) app.get(`/docs/${file}`, (_request, response) => response.sendFile(file, options));
}

/** The document is made once for each public URL: a single process knows its URL only once it listens. */
function openApiHandler(document: object, publicUrl: () => string): RequestHandler {
  const prepared = new Map<string, ReturnType<typeof preparedDocument>>();
  const answerFor = (url: string): ReturnType<typeof preparedDocument> => {
    const known = prepared.get(url);
    if (known) return known;
    const text = JSON.stringify({ ...document, servers: [{ url }] });
    const made = preparedDocument({ text, cacheControl: 'public, max-age=300' });
    prepared.set(url, made);
    return made;
  };
  return (request, response) => {
    const { status, headers, body } = answerFor(publicUrl())(request);
    response.status(status).set(headers);
    if (body) response.type('json').send(body);
    else response.end();
  };
}

const ownPolicy: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy);
  next();
};

/** The routes of every plane: all are served at the public address, whichever service answers. */
export function publicRoutes(): RouteContract[] {
  const groups = Object.entries(contracts)
    .filter(([name]) => name.endsWith('Routes'))
    .map(([, group]) => Object.values(group as Record<string, unknown>));
  return groups
    .flat()
    .filter(
      (value): value is RouteContract => typeof value === 'object' && value !== null && 'method' in value && 'answers' in value,
    );
}
