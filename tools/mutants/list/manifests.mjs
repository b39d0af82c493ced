const policies = 'k8s/base/network-policies.yaml';
const [ingest, config, runner] = ['ingest-api', 'config-api', 'flow-runner'].map((name) => `k8s/base/${name}.yaml`);
const notice = (pattern) => ({ project: 'manifests', pattern });
const network = notice('network-policies');
const kubernetes = notice('kubernetes');
const docker = notice('dockerfile');
const compose = notice('compose');
const dockerfile = 'infra/docker/Dockerfile';
const composeFile = 'docker-compose.yml';

/** One mutant for each range that `except` may lose. */
const ranges = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '2001:db8::/32', '2002::/16'];
const withoutRange = ranges.map((range) => ({ name: `outbound calls reach ${range}`, file: policies, find: `              - ${range}\n`, replace: '', notice: network }));

export default [
  { name: 'compose: the proxy passes /operator', file: 'infra/compose/Caddyfile', find: ' /operator /operator/*', replace: '', notice: compose },
  { name: 'compose: a service starts before the database is migrated', file: composeFile, find: 'migrate: { condition: service_completed_successfully }', replace: 'migrate: { condition: service_started }', notice: compose },
  { name: 'a group of tables gives everybody everything', file: 'packages/adapters/store-postgres/src/roles/table-groups.ts', find: 'held.includes(name) ? holders : others', replace: 'holders', notice: { project: 'integration', pattern: 'service-roles' } },
  { name: 'a role keeps what it had', file: 'packages/adapters/store-postgres/src/roles/grant-service-roles.ts', find: '    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,\n', replace: '', notice: { project: 'integration', pattern: 'service-roles' } },
  ...withoutRange,
  { name: 'outbound calls reach half of a private range', file: policies, find: '172.16.0.0/12', replace: '172.16.0.0/13', notice: network },
  { name: 'outbound calls reach no IPv6 address', file: policies, find: 'cidr: 2000::/3', replace: 'cidr: fc00::/7', notice: network },
  { name: 'the public policy lets in everybody', file: policies, find: '    - from:\n        - namespaceSelector: { matchLabels: { sluice/ingress: "true" } }\n      ports:', replace: '    - ports:', notice: network },
  { name: 'the metrics policy lets in everybody', file: policies, find: '    - from:\n        - namespaceSelector: { matchLabels: { sluice/monitoring: "true" } }\n      ports:', replace: '    - ports:', notice: network },
  { name: 'the public policy lets in every namespace', file: policies, find: 'namespaceSelector: { matchLabels: { sluice/ingress: "true" } }', replace: 'namespaceSelector: {}', notice: network },
  { name: 'the metrics policy lets in every pod of the namespace', file: policies, find: 'namespaceSelector: { matchLabels: { sluice/monitoring: "true" } }', replace: 'podSelector: {}', notice: network },
  { name: 'the public policy opens flow-runner', file: runner, find: '        sluice/calls-out: "true"\n', replace: '        sluice/public: "true"\n        sluice/calls-out: "true"\n', notice: network },
  { name: 'ingest-api may call anybody', file: ingest, find: '        sluice/public: "true"\n', replace: '        sluice/public: "true"\n        sluice/calls-out: "true"\n', notice: network },
  { name: 'nothing is denied on the way out', file: policies, find: 'policyTypes: [Ingress, Egress]', replace: 'policyTypes: [Ingress]', notice: network },
  { name: 'the store policy allows every port', file: policies, find: '    - ports:\n        - { protocol: TCP, port: 5432 }', replace: '    - ports:\n        - { protocol: TCP }\n        - { protocol: TCP, port: 5432 }', notice: network },
  { name: 'the store policy allows 443 to anywhere', file: policies, find: '        - { protocol: TCP, port: 9096 }', replace: '        - { protocol: TCP, port: 9096 }\n        - { protocol: TCP, port: 443 }', notice: network },

  { name: 'the Ingress publishes everything', file: 'k8s/base/ingress.yaml', find: 'path: /docs,', replace: 'path: /,', notice: kubernetes },
  { name: 'the Ingress sends events to config-api', file: 'k8s/base/ingress.yaml', find: 'path: /api/v1/events, pathType: Prefix, backend: { service: { name: ingest-api,', replace: 'path: /api/v1/events, pathType: Prefix, backend: { service: { name: config-api,', notice: kubernetes },
  { name: 'a pod may run as root', file: ingest, find: 'runAsNonRoot: true', replace: 'runAsNonRoot: false', notice: kubernetes },
  { name: 'a container may gain privileges', file: runner, find: 'allowPrivilegeEscalation: false', replace: 'allowPrivilegeEscalation: true', notice: kubernetes },
  { name: 'a container keeps its capabilities', file: runner, find: 'capabilities: { drop: [ALL] }', replace: 'capabilities: { drop: [] }', notice: kubernetes },
  { name: 'a container may write to its root', file: ingest, find: 'readOnlyRootFilesystem: true', replace: 'readOnlyRootFilesystem: false', notice: kubernetes },
  { name: 'a service may write to the folder of watched files', file: config, find: 'mountPath: /watched, readOnly: true', replace: 'mountPath: /watched', notice: kubernetes },
  { name: 'a pod gets a token of the Kubernetes API', file: runner, find: 'automountServiceAccountToken: false', replace: 'automountServiceAccountToken: true', notice: kubernetes },
  { name: 'a pod gets variables of services beside its settings', file: config, find: 'enableServiceLinks: false', replace: 'enableServiceLinks: true', notice: kubernetes },
  { name: 'a pod has no time to drain', file: runner, find: 'terminationGracePeriodSeconds: 30', replace: 'terminationGracePeriodSeconds: 20', notice: kubernetes },
  { name: 'a pod stops while traffic still comes', file: ingest, find: 'sleep: { seconds: 5 }', replace: 'sleep: { seconds: 0 }', notice: kubernetes },
  { name: 'liveness asks for readiness: a database outage restarts every pod', file: ingest, find: 'livenessProbe:\n            httpGet: { path: /livez', replace: 'livenessProbe:\n            httpGet: { path: /readyz', notice: kubernetes },
  { name: 'readiness asks for liveness', file: config, find: 'readinessProbe:\n            httpGet: { path: /readyz', replace: 'readinessProbe:\n            httpGet: { path: /livez', notice: kubernetes },
  { name: 'the heap is larger than the memory of the container', file: ingest, find: '--max-old-space-size=336', replace: '--max-old-space-size=400', notice: kubernetes },
  { name: 'a container has no memory limit', file: runner, find: '            limits: { memory:', replace: '            limits: { cpu: 1 } #', notice: kubernetes },
  { name: 'ingest-api serves the operator surface', file: ingest, find: 'secretRef: { name: sluice-secrets }', replace: 'secretRef: { name: sluice-operator }', notice: kubernetes },
  { name: 'runners overlap with their successors', file: runner, find: 'rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }', replace: 'rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }', notice: kubernetes },
  { name: 'a deploy takes an instance of ingest-api away first', file: ingest, find: 'rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }', replace: 'rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }', notice: kubernetes },
  { name: 'the manifest sets replicas that the autoscaler sets too', file: runner, find: 'spec:\n  # No replicas here: the autoscaler below decides.', replace: 'spec:\n  replicas: 2', notice: kubernetes },
  { name: 'more runners than partitions', file: runner, find: 'maxReplicas: 12', replace: 'maxReplicas: 25', notice: kubernetes },
  { name: 'payload parts on a volume that one node alone mounts', file: 'k8s/base/blobs.yaml', find: 'accessModes: [ReadWriteMany]', replace: 'accessModes: [ReadWriteOnce]', notice: kubernetes },
  { name: 'production runs the newest image, whatever it is', file: 'k8s/overlays/production/kustomization.yaml', find: 'newName: registry.example.com/sluice/ingest-api, newTag: 0.1.0', replace: 'newName: registry.example.com/sluice/ingest-api, newTag: latest', notice: kubernetes },
  { name: 'production replicates topics once', file: 'k8s/overlays/production/kustomization.yaml', find: 'KAFKA_REPLICATION_FACTOR=3', replace: 'KAFKA_REPLICATION_FACTOR=1', notice: kubernetes },
  { name: 'production speaks to Kafka without TLS', file: 'k8s/overlays/production/kustomization.yaml', find: 'KAFKA_SSL=on', replace: 'KAFKA_SSL=off', notice: kubernetes },
  { name: 'private targets are allowed', file: 'k8s/base/kustomization.yaml', find: 'SLUICE_ALLOW_PRIVATE_TARGETS=off', replace: 'SLUICE_ALLOW_PRIVATE_TARGETS=on', notice: kubernetes },

  { name: 'images run as root', file: dockerfile, find: 'USER 1000:1000', replace: 'USER 0:0', notice: docker },
  { name: 'images bring development dependencies', file: dockerfile, find: '--filter @sluice/ingest-api --config.inject-workspace-packages=true --offline deploy --prod', replace: '--filter @sluice/ingest-api --config.inject-workspace-packages=true --offline deploy', notice: docker },
  { name: 'images are not of the lock file', file: dockerfile, find: 'pnpm install --frozen-lockfile --offline', replace: 'pnpm install --offline', notice: docker },
  { name: 'an image holds the files of another service', file: dockerfile, find: 'COPY --from=flow-runner-files /app /app', replace: 'COPY --from=config-api-files /app /app', notice: docker },
  { name: 'node is not process 1: SIGTERM does not reach it', file: dockerfile, find: 'CMD ["node", "dist/main.js"]', replace: 'CMD ["sh", "-c", "node dist/main.js"]', notice: docker },
  { name: 'images have no health check', file: dockerfile, find: 'HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/opt/sluice/healthcheck.mjs", "SLUICE_METRICS_PORT,SLUICE_PORT", "/livez"]', replace: '', notice: docker },
  { name: 'images keep their package managers', file: dockerfile, find: 'RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm', replace: 'RUN rm -rf /usr/local/bin/npx', notice: docker },
  { name: 'the folder .env goes into the image', file: '.dockerignore', find: '\n.env\n', replace: '\n', notice: docker },
  { name: 'the health check accepts any answer', file: 'infra/docker/healthcheck.mjs', find: 'if (!answer.ok)', replace: 'if (answer.status < 0)', notice: docker },

  { name: 'compose: a service may write to its root', file: composeFile, find: '  read_only: true\n  tmpfs', replace: '  read_only: false\n  tmpfs', notice: compose },
  { name: 'compose: a service may gain privileges', file: composeFile, find: '["no-new-privileges:true"]', replace: '[]', notice: compose },
  { name: 'compose: a service is killed while it drains', file: composeFile, find: 'stop_grace_period: 30s', replace: 'stop_grace_period: 10s', notice: compose },
  { name: 'compose: the simulator listens to the whole network', file: composeFile, find: '127.0.0.1:8090:8090', replace: '8090:8090', notice: compose },
  { name: 'compose: a secret stands in the file', file: composeFile, find: 'SLUICE_OPERATOR_TOKEN: ${SLUICE_OPERATOR_TOKEN:-}', replace: 'SLUICE_OPERATOR_TOKEN: 4cbb4d0f6a1ae1a2b5b4', notice: compose },
  { name: 'compose: ingest-api gets the encryption keys', file: composeFile, find: '      SLUICE_EVENT_ID_KEYS: ${SLUICE_EVENT_ID_KEYS:?see .env.example}\n      SLUICE_WEBHOOK_KEYS', replace: '      SLUICE_EVENT_ID_KEYS: ${SLUICE_EVENT_ID_KEYS:?see .env.example}\n      SLUICE_ENCRYPTION_KEYS: ${SLUICE_ENCRYPTION_KEYS}\n      SLUICE_WEBHOOK_KEYS', notice: compose },
  { name: 'ingest-api gets the encryption keys', file: ingest, find: '            - secretRef: { name: sluice-event-ids }\n', replace: '            - secretRef: { name: sluice-event-ids }\n            - secretRef: { name: sluice-keys }\n', notice: kubernetes },
  { name: 'compose: the proxy passes metrics on', file: 'infra/compose/Caddyfile', find: 'respond @internal 404', replace: '', notice: compose },
  { name: 'compose: webhooks go to config-api', file: 'infra/compose/Caddyfile', find: '/api/webhooks/* ', replace: '', notice: compose },
  { name: 'compose: mistyped topics are created', file: composeFile, find: 'KAFKA_AUTO_CREATE_TOPICS_ENABLE: "false"', replace: 'KAFKA_AUTO_CREATE_TOPICS_ENABLE: "true"', notice: compose },
];
