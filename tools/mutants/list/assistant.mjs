/** The assistant: rights, limits, what leaves. */
const here = 'services/config-api/src/features/assistant';
const routes = { project: 'integration', pattern: 'features/assistant/assistant\\.integration' };
const store = { project: 'integration', pattern: 'store-postgres/src/assistant' };
const safety = { project: 'integration', pattern: 'features/assistant/injections' };
const masks = { project: 'unit', pattern: 'assistant/tools/mask-text' };

export default [
  {
    name: 'the model is shown values of headers',
    file: `${here}/tools/mask-config.ts`,
    find: 'if (valuesHidden.test(name)) return hidden(value);',
    replace: '',
    notice: masks,
  },
  {
    name: 'a message reaches the model with its secrets',
    file: `${here}/turns/conversation.ts`,
    find: "return [...earlier, { role: 'user', text: maskText(content) }];",
    replace: "return [...earlier, { role: 'user', text: content }];",
    notice: safety,
  },
  {
    name: 'a tool takes arguments that it does not know',
    file: `${here}/tools/create-toolbox.ts`,
    find: 'if (!found.check(args)) {',
    replace: 'if (args === null) {',
    notice: safety,
  },
  {
    name: 'a proposal is applied to a draft that has changed since',
    file: `${here}/post-proposal-apply.ts`,
    find: '{ change, expectedVersion, bytes }',
    replace: '{ change, bytes }',
    notice: routes,
  },
  {
    name: 'parallel creations pass the limit of sessions a day',
    file: 'packages/adapters/store-postgres/src/assistant/assistant-limits.ts',
    find: 'WHERE $2::integer IS NULL OR d.sessions < $2',
    replace: 'WHERE $2::integer IS NULL OR true',
    notice: store,
  },
  {
    name: 'a turn writes after it has lost its session',
    file: 'packages/adapters/store-postgres/src/assistant/assistant-turns.ts',
    find: 'WHERE id = $1 AND turn_id = $2 RETURNING last_event',
    replace: 'WHERE id = $1 AND $2 <> $1 RETURNING last_event',
    notice: store,
  },
  {
    name: 'a turn goes on after the assistant was switched off',
    file: `${here}/turns/run-turn.ts`,
    find: 'if (!(await work.isOn())) {',
    replace: 'if (work.content === null) {',
    notice: routes,
  },
  {
    name: 'tool calls in parallel pass the limit of a session',
    file: 'packages/adapters/store-postgres/src/assistant/create-assistant-store.ts',
    find: 'AND ($3::integer IS NULL OR tool_calls < $3) RETURNING id`',
    replace: 'AND ($3::integer IS NULL OR tool_calls <= $3) RETURNING id`',
    notice: store,
  },
  {
    name: 'an answer that broke in the middle is asked for again',
    file: 'packages/ports/src/model-kit/model-answer.ts',
    find: 'waitMs === undefined || watched.started() || !isTransient(error)',
    replace: 'waitMs === undefined || !isTransient(error)',
    notice: { project: 'integration', pattern: 'adapters/model-openai' },
  },
];
