/**
 * Sends one accept every so many milliseconds, in a process of its own: what the attacks and the test cost must not count as a
 * slow answer.
 */
const { url, key, everyMs, address } = JSON.parse(process.argv[2]);
const under = new Set();
let number = 0;
let stopped = false;

/** Until it is accepted, under one key, as a careful client does. The time of the first answer counts. */
async function send(name) {
  const body = JSON.stringify({ event: 'customer_synced', data: { email: name, name, version: 1 } });
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const at = Date.now();
    const begun = performance.now();
    const status = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(20_000),
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': name, 'x-forwarded-for': address },
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    process.send({ kind: 'sample', name, at, ms: performance.now() - begun, status, accepted: status === 202 });
    if (status === 202) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const timer = setInterval(() => {
  if (under.size >= 50) return;
  const one = send(`good${number++}@shop.test`).finally(() => under.delete(one));
  under.add(one);
}, everyMs);

process.on('message', async () => {
  if (stopped) return;
  stopped = true;
  clearInterval(timer);
  await Promise.all(under);
  process.send({ kind: 'stopped' });
  process.disconnect();
});
// Nobody measures any more.
process.on('disconnect', () => process.exit());
