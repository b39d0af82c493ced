/**
 * Runs `end(keep)` once, when the parent closes our stdin: on purpose, or by dying in whatever way.
 * A line `keep` before that asks to leave the data folder for a restart.
 */
export function untilParentLeaves(end) {
  let said = '';
  let ended = false;
  const once = () => {
    if (ended) return;
    ended = true;
    end(said.includes('keep'));
  };
  process.stdin.on('data', (chunk) => (said += chunk));
  process.stdin.on('end', once);
  process.stdin.on('error', once);
  // Ctrl-C reaches the whole process group; the parent decides what it means for the servers.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', once);
}
