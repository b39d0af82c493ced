const guide = `# Quickstart

From nothing to a contact in the CRM, in seven calls. You need \`curl\`, Node.js (to read answers) and an access token of a CRM portal
(in the CRM: Settings, Integrations, Private apps; give it the scopes to read and write contacts, companies and deals and their schemas).
The stand-in for the CRM that \`npm start\` brings takes the token \`sim-access-1000001\`.

\`\`\`sh
BASE=\${BASE:-<BASE_URL>}
CRM_TOKEN=\${CRM_TOKEN:-<ACCESS_TOKEN>}
EMAIL=\${EMAIL:-you@your-company.example}
PASSWORD=\${PASSWORD:-a password of your own}
field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
post() { curl -sS --fail-with-body -X POST "$BASE$1" -H "$2" -H 'content-type: application/json' -d "$3"; }
\`\`\`

## 1. Sign up

You get an organization of your own and a session token, which lasts 15 minutes.

\`\`\`sh
TOKEN=$(post /api/auth/signup 'accept: application/json' \\
  "{\\"email\\": \\"$EMAIL\\", \\"password\\": \\"$PASSWORD\\", \\"organization_name\\": \\"My shop\\"}" | field access_token)
AUTH="authorization: Bearer $TOKEN"
\`\`\`

## 2. Verify your address

A mail brings a link that ends with a token. Keys and publishing need a verified address. An installation without a mail server, such as
\`npm start\`, sends no mails: its operator finds them in the outbox (\`operator_token\` of \`.data/standalone.json\`).

\`\`\`sh
LINK=\${LINK:-$(curl -sS --fail-with-body "$BASE/operator/outbox?to=$EMAIL" -H "authorization: Bearer \${OPERATOR_TOKEN:-}" | field "items[0].links[0]")}
post /api/auth/verify-email 'accept: application/json' "{\\"token\\": \\"\${LINK##*token=}\\"}"
\`\`\`

## 3. Connect the CRM portal

The token is stored encrypted and never shown again. With one portal connected, every connector of the organization uses it.

\`\`\`sh
post /api/credentials "$AUTH" "{\\"name\\": \\"portal\\", \\"credential_type\\": \\"crm_oauth\\", \\"data\\": {\\"access_token\\": \\"$CRM_TOKEN\\"}}" | field portal_id
\`\`\`

## 4. Create a connector from a template

Its draft says: the customer of an order becomes a contact, the order a deal of that contact. The key is shown this once.
\`GET /api/v1/templates\` lists what else there is.

\`\`\`sh
MADE=$(post /api/v1/connectors/from-template/shop-orders "$AUTH" '{"name": "My shop", "create_api_key": true, "api_key_label": "shop"}')
CONNECTOR=$(echo "$MADE" | field id)
KEY=$(echo "$MADE" | field api_key.raw_key)
\`\`\`

## 5. Publish

Creates in the portal the properties that the config needs, and makes version 1 the one that runs.

\`\`\`sh
post "/api/connectors/$CONNECTOR/publish" "$AUTH" '{}' | field version
\`\`\`

## 6. Send an event

At \`202\` it is stored safely; the record in the CRM follows. A new version runs everywhere within three seconds of its publish: an event
before that is handled by the version before, or by none.

\`\`\`sh
sleep 3
EVENT=$(post /api/v1/events "x-api-key: $KEY" '{
  "event": "order.placed", "recordKey": "1001",
  "data": {
    "customer": {"email": "ada@shop.example", "first_name": "Ada", "last_name": "Byron"},
    "order": {"number": "1001", "status": "placed", "total": "42.50", "channel": "web", "lines": [{"quantity": 2}]}
  }}' | field event_id)
\`\`\`

## 7. See what became of it

Ask until the status is no longer \`processing\`. Every record of the event has a row with its id in the CRM.

\`\`\`sh
for TRY in $(seq 60); do
  STATUS=$(curl -sS --fail-with-body "$BASE/api/v1/events/$EVENT/status" -H "x-api-key: $KEY")
  [ "$(echo "$STATUS" | field status)" = processing ] || break
  sleep 1
done
echo "$STATUS"
\`\`\`

Next: change the draft (\`PATCH /api/connectors/{id}/draft\`) and publish again; create an organization key for scripts
(\`POST /api/org-api-keys\`); read the API at <BASE_URL>/docs.
`;

/**
 * The guide for newcomers. Its `sh` blocks, one after the other, are a script: `test-e2e/src/onboarding.e2e.test.ts` runs them
 * against a fresh installation.
 * @param baseUrl where the API is served, without a trailing slash
 */
export const quickstart = (baseUrl: string): string => guide.replaceAll('<BASE_URL>', baseUrl);
