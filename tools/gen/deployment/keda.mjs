/** k8s/keda: what replaces the autoscalers where KEDA is installed. */

const scaled = ({ services }) => services.filter(({ scaling }) => scaling.by === 'cpu');

/** The objects of every service that scales. @param {{ services: any[] }} list */
export const scaledObjects = (list) => `# Written by \`npm run gen\` from packages/deployment/src/services.ts.\n${scaled(list).map(scaledObject).join('---\n')}`;

function scaledObject({ name, scaling: { min, max, percent, settleSeconds, keda } }) {
  return `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: ${name}
spec:
  scaleTargetRef: { name: ${name} }
  minReplicaCount: ${min}
  maxReplicaCount: ${max}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown:
          stabilizationWindowSeconds: ${settleSeconds}
          policies:
            - { type: Pods, value: 1, periodSeconds: 60 }
  triggers:
    - type: cpu
      metricType: Utilization
      metadata: { value: "${percent}" }
${triggers[keda.on](keda)}`;
}

const triggers = {
  lag: ({ group, topics, messages }) => topics.map((topic) => `    - type: kafka
      metadata:
        bootstrapServersFromEnv: KAFKA_BROKERS
        consumerGroup: ${group}.${topic}
        topic: ${topic}
        lagThreshold: "${messages}"
        # A group that has committed nothing yet starts at the end of the log.
        offsetResetPolicy: latest
        allowIdleConsumers: "false"
      authenticationRef: { name: sluice-kafka }
`).join(''),
  requests: ({ perSecond }) => `    - type: prometheus
      metadata:
        serverAddress: http://prometheus-server.monitoring.svc
        query: sum(rate(sluice_http_request_duration_seconds_count{service="ingest-api"}[2m]))
        threshold: "${perSecond}"
`,
};

/** Patches of k8s/keda/kustomization.yaml: two autoscalers of one deployment would work against each other. @param {{ services: any[] }} list */
export const removedAutoscalers = (list) => scaled(list).map(({ name }) => `  - patch: |-
      $patch: delete
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: { name: ${name} }
`).join('');
