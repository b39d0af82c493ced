/** Ways to break what the catalogue says of steps, and the words and inputs of a 422. */
const actions = 'packages/actions/src';
const http = 'packages/service-kit/src/http';
const unit = (pattern) => ({ project: 'unit', pattern });
const catalogue = (name, file, find, replace) => ({ name: `catalogue: ${name}`, file: `${actions}/${file}.ts`, find, replace, notice: unit('actions/src/required-checks') });
const secrets = (name, find, replace) => ({ name: `inputs: ${name}`, file: `${http}/validation/check-request.ts`, find, replace, notice: unit('service-kit/src/http/validation/check-request') });
const words = (name, find, replace) => ({ name: `messages: ${name}`, file: `${http}/validation/describe-problem.ts`, find, replace, notice: unit('service-kit/src/http/validation/validation-entries') });

export default [
  catalogue('rules of an action are not shown', 'catalogue', '      ...action.rules.map(', '      ...action.rules.slice(0, 0).map('),
  catalogue('a check is shown and not enforced', 'check-step', '    ...action.required_checks.flatMap((check) => requiredProblems(check, step)),\n', ''),
  catalogue('false counts as given', 'required-problems', "value !== '' && value !== false;", "value !== '';"),
  catalogue('a delete at a destination needs no url', 'required-problems', "case 'requires_unless': return when(given && first.value !== equals,", "case 'requires_unless': return when(given && first.value === equals,"),
  catalogue('a post may go to the CRM', 'required-problems', "case 'not_equals': return when(first.value === equals, [first]);", "case 'not_equals': return [];"),
  catalogue('several of which one is allowed are accepted', 'required-problems', 'values.length - missing.length > 1', 'values.length - missing.length > 2'),
  catalogue('elements of lists are not checked', 'required-problems', "(Array.isArray(elements) ? (elements as unknown[]) : []).flatMap", '([] as unknown[]).flatMap'),
  { ...catalogue('a type of its own is reported at the field that is missing', 'required-problems', 'type !== undefined && found.length > 0 ? values.slice(0, 1) : found', 'found'), notice: unit('actions/src/check-step') },
  secrets('secret fields are repeated', "(typeof field === 'string' && open.has(field) && entry.type !== 'missing')", "(typeof field === 'string' && entry.type !== 'missing')"),
  secrets('the body around a missing field is repeated with its secrets', '? masked(input) : null', '? input : null'),
  secrets('undeclared fields of the body are shown', 'open.has(name) ? value : redactedMark', 'secretFields.includes(name) ? redactedMark : value'),
  secrets('fields named like a secret are open though declared', "!secretFields.includes(name)));\n  const masked", 'name === undefined));\n  const masked'),
  words('a pattern is shown as it is written', 'wordsOfPattern(params.pattern)', "`match ${params.pattern}`"),
  words('a choice does not say what it takes', 'orList([...new Set((schema as unknown[]).map(shapeWords))])', "'one of the allowed shapes'"),
  words('a missing field is not named', 'msg: `Field required: ${params.missingProperty}`', "msg: 'Field required'"),
  words('the fields of which one is needed are not named', "names.length > 0 ? ` of", "names.length < 0 ? ` of"),
  { name: 'messages: the config document shows its patterns', file: 'packages/config-model/src/checks/check-structure.ts', find: '`must ${wordsOfPattern(String(params.pattern))}`', replace: '`must match ${String(params.pattern)}`', notice: unit('config-model/src/checks/check-config') },
  { name: 'inputs: a password is no secret of the sign-in', file: 'packages/contracts/src/routes/config/operator/operator.ts', find: "  secretFields: ['owner_password'],\n", replace: '', notice: unit('contracts/src/http/route-rules') },
];
