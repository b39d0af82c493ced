/**
 * A group of the port is a group per topic; Kafka's groups span topics, and members of one that read different
 * topics would be given each other's partitions.
 */
export const groupIdOf = (topic: string, group: string): string => `${group}.${topic}`;
