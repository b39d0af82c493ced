/**
 * What HEALTHCHECK runs, so that images need no curl: `healthcheck.mjs <variables that name the port> <path>`. The first variable that
 * is set counts. Exit code 0 when the path answers 2xx within 4 seconds, else 1 and the reason on stderr.
 */
const [variables, path] = process.argv.slice(2);
const port = variables.split(',').map((name) => process.env[name]).find(Boolean);

try {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
} catch (error) {
  process.stderr.write(`${path}: ${error.message}\n`);
  process.exitCode = 1;
}
