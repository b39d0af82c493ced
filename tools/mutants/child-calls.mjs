/** A Node process that answers one request at a time. */
import { fork } from 'node:child_process';

const keptOutput = 4_000;
/** An ended process may have written what is not read yet. */
const lastOutputMs = 50;

/**
 * @typedef {{ answer: object } | { late: true } | { gone: string }} Reply
 *   `late`: no answer in time, the process was ended; `gone`: it ended without an answer, with its last output
 */

/**
 * @param {string} script path of its file
 * @param {string} cwd
 * @returns {{ ask(request?: object, limitMs: number): Promise<Reply>, isAlive(): boolean, end(): Promise<void>, kill(): void }}
 */
export function startChild(script, cwd) {
  // The output of node:test, when it runs these tools' own tests, is no concern of theirs.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const child = fork(script, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
  let output = '';
  const keep = (chunk) => (output = (output + chunk).slice(-keptOutput));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise((resolve) => child.on('exit', () => setTimeout(resolve, lastOutputMs)));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const kill = () => void child.kill('SIGKILL');
  return {
    isAlive,
    kill,
    /** Waits for the next answer, after having sent the request, if there is one. */
    async ask(request, limitMs) {
      let timer;
      let answered;
      const answer = new Promise((resolve) => child.once('message', (answered = (message) => resolve({ answer: message }))));
      const late = new Promise((resolve) => (timer = setTimeout(() => resolve({ late: true }), limitMs)));
      if (request && child.connected) child.send(request, () => undefined);
      const reply = await Promise.race([answer, late, ended.then(() => ({ gone: output }))]);
      clearTimeout(timer);
      child.off('message', answered);
      if (reply.late) kill();
      return reply;
    },
    /** Closes its channel, so that it ends. */
    async end() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
