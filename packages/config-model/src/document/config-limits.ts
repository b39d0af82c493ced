import { configDocumentBytes } from '@sluice/contracts';

/**
 * Bounds of the config document (docs/limits.md). They keep the work of checking, compiling and showing a config small; the size
 * of the document bounds everything else. Part of the JSON Schema, so editors know them too.
 */
export const configLimits = {
  /** Bytes of the document as JSON. */
  bytes: configDocumentBytes,
  flows: 1_000,
  stepsPerFlow: 200,
  /** Of all flows together. */
  steps: 5_000,
  entities: 500,
  schemasPerEntity: 20,
  mappingsPerSchema: 2_000,
  optionsPerMapping: 5_000,
  provisionNames: 500,
  guardProperties: 100,
  sources: 500,
  pipelines: 100,
  stagesPerPipeline: 100,
  ingressRoutes: 200,
  /** Event types of one route, or of one resend action. */
  ingressEvents: 200,
  ingressActions: 200,
} as const;
