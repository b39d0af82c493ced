/** The manifest of a service, and the lists of it in k8s/. */

import { databaseSecret, ownerSecret } from './database.mjs';
import { nodeOptions, oldSpace } from './node-options.mjs';

/** The port of the routes, and that of health and metrics. */
const ports = { http: 8080, metrics: 9090 };

const isRouted = ({ publicPaths, internalPaths = [] }) => publicPaths.length + internalPaths.length > 0;
const documents = (...parts) => parts.filter(Boolean).join('---\n');
const mebibytes = (amount) => (amount % 1_024 === 0 ? `${amount / 1_024}Gi` : `${amount}Mi`);

/** All objects of a service. @returns {string} the whole file */
export function serviceManifest(service, { migratingService }) {
  const head = `# Written by \`npm run gen\` from packages/deployment/src/services.ts.\n`;
  return head + documents(deployment(service, service.name === migratingService), disruptionBudget(service), isRouted(service) && routedService(service), autoscaler(service));
}

/** Labels by which the network policies select: what may reach a pod, and what it may reach. */
function policyLabels({ publicPaths, callsOut }) {
  return [publicPaths.length > 0 && 'sluice/public: "true"', callsOut && 'sluice/calls-out: "true"'].filter(Boolean);
}

const rollouts = {
  'one-more': `# A new pod is ready before an old one stops: capacity never drops.
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }`,
  'one-less': `# One after the other, without an additional pod: partitions move once per pod, and a stopping pod releases its leases.
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }`,
};

/** A pod that owns partitions counts as available when it has taken them over: only then the next one stops. */
const settles = { 'one-more': '', 'one-less': '  # The next one is replaced when this one has taken its partitions over.\n  minReadySeconds: 20\n' };

function deployment(service, migrates) {
  const { name, rollout, scaling } = service;
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  ${scaling.by === 'hand' ? `replicas: ${scaling.replicas}` : '# No replicas here: the autoscaler below decides.'}
  revisionHistoryLimit: 5
${settles[rollout]}  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
  strategy:
    type: RollingUpdate
    ${rollouts[rollout]}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
${policyLabels(service).map((label) => `        ${label}\n`).join('')}      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "${ports.metrics}"
        prometheus.io/path: /metrics
    spec:
      serviceAccountName: sluice
      automountServiceAccountToken: false
      # Otherwise the cluster puts variables such as KAFKA_PORT beside the settings.
      enableServiceLinks: false
      # 5 s until no router sends requests here, then up to 20 s of draining.
      terminationGracePeriodSeconds: 30
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
${['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((key) => spread(name, key)).join('')}${migrates ? migration(service) : ''}      containers:
${container(service)}      volumes:
${service.sharesBlobs ? '        - name: blobs\n          persistentVolumeClaim: { claimName: sluice-blobs }\n' : ''}${service.watchesFiles ? '        - name: watched\n          persistentVolumeClaim: { claimName: sluice-watched, readOnly: true }\n' : ''}        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
`;
}

const spread = (name, key) => `        - maxSkew: 1
          topologyKey: ${key}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: { matchLabels: { app.kubernetes.io/name: ${name} } }
`;

function container(service) {
  const { name, secrets, sharesBlobs, watchesFiles = false, resources: { cpu, memory, maxMemory } } = service;
  return `        - name: ${name}
          image: sluice/${name}
          ports:
            - { name: http, containerPort: ${ports.http} }
            - { name: metrics, containerPort: ${ports.metrics} }
          env:
            - { name: SLUICE_PORT, value: "${ports.http}" }
            - { name: SLUICE_METRICS_PORT, value: "${ports.metrics}" }
            - { name: SLUICE_DATA_DIR, value: /data }
${watchesFiles ? '            - { name: SLUICE_FILE_ROOT, value: /watched }\n' : ''}            - { name: SLUICE_MIGRATIONS, value: wait }
            # A little under the memory limit, so that the garbage collector runs before the kernel kills the process.
            - { name: NODE_OPTIONS, value: "${nodeOptions(service)} --max-old-space-size=${oldSpace(service)}" }
          envFrom:
            - configMapRef: { name: sluice-settings }
            - secretRef: { name: sluice-secrets }
            - secretRef: { name: ${databaseSecret(name)} }
${secrets.map(secretRef).join('')}          # The port opens when the database is migrated: another pod may still be at it.
          startupProbe:
            httpGet: { path: /livez, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 3
            failureThreshold: 120
          livenessProbe:
            httpGet: { path: /livez, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              sleep: { seconds: 5 }
          resources:
            requests: { cpu: ${cpu}m, memory: ${mebibytes(memory)} }
            limits: { memory: ${mebibytes(maxMemory)} }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
${sharesBlobs ? '            - { name: blobs, mountPath: /data }\n' : ''}${watchesFiles ? '            - { name: watched, mountPath: /watched, readOnly: true }\n' : ''}            - { name: tmp, mountPath: /tmp }
`;
}

/** Migrates before the service starts, as the role that owns the tables. It does nothing when nothing is to do. */
const migration = ({ name, resources: { maxMemory } }) => `      initContainers:
        - name: migrate
          image: sluice/${name}
          command: [node, dist/migrate.js]
          env:
            - { name: NODE_OPTIONS, value: "--enable-source-maps --max-old-space-size=${oldSpace({ resources: { maxMemory } })}" }
          envFrom:
            - secretRef: { name: ${ownerSecret} }
          resources:
            requests: { cpu: 50m, memory: 128Mi }
            limits: { memory: ${mebibytes(maxMemory)} }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
`;

function secretRef(secret) {
  const ref = `            - secretRef: { name: sluice-${secret} }\n`;
  // Without this Secret the service answers 404 there.
  return secret === 'operator' ? '            # Without this Secret /operator answers 404.\n            - secretRef: { name: sluice-operator, optional: true }\n' : ref;
}

const disruptionBudget = ({ name }) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  maxUnavailable: 1
  # A pod that is not ready does not delay the draining of its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
`;

const routedService = ({ name }) => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
    app.kubernetes.io/name: ${name}
  ports:
    - { name: http, port: ${ports.http}, targetPort: http }
`;

function autoscaler({ name, scaling }) {
  if (scaling.by !== 'cpu') return '';
  const { min, max, percent, settleSeconds } = scaling;
  return `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }
  minReplicas: ${min}
  maxReplicas: ${max}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: ${percent} }
  behavior:
    scaleDown:
      stabilizationWindowSeconds: ${settleSeconds}
      policies:
        - { type: Pods, value: 1, periodSeconds: 60 }
`;
}

/** @param {{ services: any[] }} list */
export const baseResources = ({ services }) => services.map(({ name }) => `  - ${name}.yaml\n`).join('');

/** The longest prefixes first, as they decide. @param {{ services: any[] }} list */
export const ingressPaths = ({ services }) => services
  .flatMap(({ name, publicPaths }) => publicPaths.map((path) => ({ name, path })))
  .sort((a, b) => b.path.length - a.path.length)
  .map(({ name, path }) => `          - { path: ${path}, pathType: Prefix, backend: { service: { name: ${name}, port: { name: http } } } }\n`)
  .join('');

/** @param {{ services: any[] }} list */
export const localImages = ({ services }) => services.map(({ name }) => `  - { name: sluice/${name}, newTag: local }\n`).join('');

/** @param {{ services: any[] }} list */
export const productionImages = ({ services }) =>
  services.map(({ name }) => `  - { name: sluice/${name}, newName: registry.example.com/sluice/${name}, newTag: 0.1.0 }\n`).join('');
