/** A partition of a topic. */
export interface PartitionRef {
  topic: string;
  partition: number;
}
