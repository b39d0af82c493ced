/**
 * What HEALTHCHECK runs, so that images need no curl: `healthcheck.mjs <variable that names the port> <path>`.
 * Exit code 0 when the path answers 2xx within 4 seconds, else 1 and the reason on stderr.
 */
const [variable, path] = process.argv.slice(2);

try {
  const answer = await fetch(`http://127.0.0.1:${process.env[variable]}${path}`, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
} catch (error) {
  process.stderr.write(`${path}: ${error.message}\n`);
  process.exitCode = 1;
}
