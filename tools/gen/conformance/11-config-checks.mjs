/** What validation says about a config: at save, in preflight and at publish. */
const model = 'packages/config-model/src';

const tests = {
  'publish checks': 'packages/config-model/src/checks/check-publishable.test.ts',
  'ingress profile': `${model}/checks/check-ingress-profile.test.ts`,
  'source checks': 'packages/sources/src/check-source.test.ts',
  'source types': 'packages/sources/src/meta-rules.test.ts',
  'watched locations': 'packages/sources/src/file/watched-location.test.ts',
  'object types': 'packages/contracts/src/config/object-types.test.ts',
  publish: 'services/config-api/src/features/versions/publish.integration.test.ts',
  'draft routes': 'services/config-api/src/features/versions/test-support/draft-tests.ts',
  'config store, organizations': 'packages/ports/src/testing/config-store/config-store-organization-tests.ts',
  templates: 'services/config-api/src/features/templates/templates.test.ts',
  preflight: 'services/config-api/src/features/preflight/preflight.integration.test.ts',
  'config checker': 'services/config-api/src/work/config-work.integration.test.ts',
  moments: `${model}/checks/moments.test.ts`,
  'publish refusals': 'services/config-api/src/features/preflight/publish-refusals.integration.test.ts',
  'required checks': 'packages/actions/src/required-checks.test.ts',
  entries: 'packages/service-kit/src/http/validation/validation-entries.test.ts',
  'rules of routes': 'packages/contracts/src/http/route-rules.test.ts',
  requests: 'packages/service-kit/src/http/validation/check-request.test.ts',
  typos: `${model}/findings/typo-findings.test.ts`,
  'property checks': 'services/config-api/src/provisioning/check-property.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Custom objects of a config',
      rules: [
        ['A custom object type counts wherever a config names it: entities, steps, fields of forms, pipelines, triggers, enrichment and event types of the journal', 'object types an event type of the journal'],
        ['Standard types are standard by plural, singular and id', 'object types standard types in every form'],
        ['A plan without custom objects refuses them in a step', 'draft routes has none on a plan without them, also not through the object_type of query'],
        ['A type that is named by name and by id counts once', 'draft routes one custom object type that is named by name and by id counts once'],
        ['The billing view counts the same', 'config store, organizations lists the object types of drafts and active versions, each once'],
        ['No template needs a plan with custom objects', 'templates every plan may use every template'],
      ],
    },
    {
      title: 'When a config is refused',
      rules: [
        ['What the document alone shows is refused when a draft is saved, and at every later moment; what needs names outside the step at publish', 'moments is refused at its moment, and at every later one'],
        ['Every kind of problem: preflight reports what a publish refuses, at the same place', 'publish refusals what a publish refuses of the document, preflight reports'],
        ['Every code that a publish answers is reported by preflight: base, plan, sources, plugins, review, portal, provisioning', 'publish refusals every code that a publish answers is covered here'],
        ['An invalid name of a property, a group or a custom object, options that are not unique, a stage without a probability', 'publish refusals what the portal would refuse to create, preflight reports at its place'],
        ['`wrong_credential_type`: `secret_headers` names a credential that is no api_key', 'publish checks takes an api_key for secret_headers, and any credential for a source'],
        ['Scopes that the credential lacks to create definitions', 'publish refusals the scope crm.schemas.contacts.write, which the credential lacks'],
        ['Without a portal an invalid property name is a warning', 'publish refusals a property name without a portal is a warning'],
        ['The check before a write covers names, types, field types and options, only of what would be created', 'publish refusals names that the portal has are taken as they are'],
      ],
    },
    {
      title: 'Catalogue and messages',
      rules: [
        ['`required_checks` of `GET /api/config-surface` hold every rule over fields that a save enforces, and no other', 'required checks hold every rule that a save enforces, and no other'],
        ['A message says what a text must be in words, never with a regular expression', 'entries {"type":"string","pattern":"\\\\S"} refuses " " as string_pattern_mismatch'],
        ['every pattern of a route has words, and every route declares its secret fields', 'rules of routes declares its secrets, and asks for texts in words'],
        ['every pattern of the config document has words', 'ingress profile every pattern of the schema has words of its own'],
        ['A message of a choice says what it takes', 'entries of a choice it reports the branch that was meant'],
        ['A missing field is named', 'entries a missing field has its parent as input, an extra one its own value'],
        ['`input` repeats no field that the contract declares as secret', 'requests a secret field is not repeated, a field with a name like a secret is'],
        ['nor one that it does not know, where it has secrets', 'requests nor is a field that is none: it may be a misspelled secret'],
        ['and every other field as it was given', 'requests a body without secret fields is repeated as it was given, whatever its fields are called'],
      ],
    },
    {
      title: 'Names that mean nothing',
      rules: [
        ['A reference to a step id that its flow does not have: `unknown_step_reference`, an error of preflight and a warning of the draft', 'typos no step has the id: reference inside of a field'],
        ['also `found`', 'typos no step has the id: found'],
        ['also of a mapping, where no step that uses the entity comes after the step', 'typos mappings: no step that uses the entity comes after it'],
        ['A reference to a step that comes later: `later_step_reference`', 'typos it runs later, or is the step itself'],
        ['`found` of a step that looks for nothing: `found_of_other_action`', 'typos found asks a step that looks for nothing'],
        ['An entity of `conflicts.entities` that is not in the config: `conflicts_of_unknown_entity`', 'typos of an entity in conflicts'],
        ['A property of an identity guard that no mapping writes: `guard_property_without_mapping`', 'typos of a guarded property that no mapping writes'],
        ['An identity property that no mapping fills: `identity_without_mapping`', 'typos of an identity property that no mapping fills'],
        ['A schema that a step needs and its entity lacks: `entity_without_crm_schema`, `entity_without_destination_schema`', 'typos of an entity without the schema that the step needs'],
        ['A flow whose source starts nothing: `flow_source_starts_nothing`', 'typos its source is a destination'],
        ['An event type that its source never gives: `event_type_never_given`', 'typos takes a type by its name, which never comes'],
        ['`event_type_from` that is no path is a warning: `event_type_from_invalid`', 'typos event_type_from is a hint: one that is no path is a warning'],
        ['and preflight answers them', 'preflight names that mean nothing are findings of preflight and warnings of the draft'],
      ],
    },
    {
      title: 'Preflight against a candidate',
      rules: [
        ['`candidate_credential_unusable` when the CRM refuses the token of the candidate, in whatever way it says so', 'preflight a candidate credential is unusable: the CRM knows the token, and refuses every call with it'],
        ['A missing scope is no refusal', 'preflight a missing scope is no refused credential'],
        ['`bound_credential_unusable` says the same of the bound one', 'preflight the credential that the connector is bound to is told to be unusable in the same way'],
      ],
    },
    {
      title: 'Legacy ingress, as a config declares it',
      rules: [
        ['The profile has `auth_header`, `max_entities` 1 to 500, at least one route, `resend_actions`, `fallback`; what breaks a rule is refused at save and at publish', 'ingress profile with more entities than a call may have is refused at save and at publish'],
        ['Paths are unique without regard to case and slashes; `api/check/<callId>` and `api/resend/<action>/<callId>` are reserved, in any notation', 'ingress profile with a path below it, in another notation is refused at save and at publish'],
        ['A route has `event`, or `event_field` with or without `events`', 'ingress profile with a route with both is refused at save and at publish'],
        ['A resend action names only events that a route can make; not checked where a route takes every value', 'ingress profile whose resend actions name any event, where a route takes any'],
        ['A profile and more than one `event_api` source are refused', 'ingress profile leaves no choice of the source: a second event_api is refused'],
      ],
    },
    {
      title: 'Sources, as a config declares them',
      rules: [
        ['`signature_scheme` is `plain`, `stripe`, `svix` or `github`; fields about the time that a scheme does not use are refused', 'source checks a scheme whose time has no header'],
        ['A poll reads at most `max_pages` pages, 1000 by default', 'source types a poll reads at most 1000 pages unless its config says otherwise'],
        ['`location` is a folder below that of the organization, relative to it or absolute, or an `s3://` prefix', 'watched locations "./orders//new/" is read as'],
        ['anything else is refused with 422, and every folder where `SLUICE_FILE_ROOT` is unset', 'config checker file sources watch only below the folder of their organization'],
      ],
    },
  ],
};
