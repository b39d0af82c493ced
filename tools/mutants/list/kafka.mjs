/** Publishing to Kafka: outcomes, leaders, the queue. */
const bus = 'packages/adapters/bus-kafka/src';
const kit = 'packages/ports/src/bus-kit';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

export default [
  { name: 'each batch of a fetch begins a rest of its own', file: `${bus}/consuming/fetch-rest.ts`, find: 'this.resting ??= new Promise', replace: 'this.resting = new Promise', notice: unit('bus-kafka/src/consuming/fetch-rest') },
  { name: 'a partition is fetched however much waits for its handler', file: `${bus}/consuming/partition-pump.ts`, find: '!paused && waitingBytes < mostWaitingBytes', replace: '!paused', notice: unit('bus-kafka/src/consuming/partition-pump') },
  { name: 'produce requests ask for the leader only', file: `${bus}/cluster/broker-link.ts`, find: 'acks: -1,', replace: 'acks: 1,', notice: integration('bus-kafka/src/three-brokers') },
  { name: 'one in-sync replica is enough', file: `${bus}/admin.ts`, find: 'replicationFactor >= 3 ? 2 : 1', replace: 'replicationFactor >= 3 ? 1 : 1', notice: integration('bus-kafka/src/three-brokers') },
  { name: 'topics with two replicas', file: `${bus}/admin.ts`, find: 'Math.min(3, brokers)', replace: 'Math.min(2, brokers)', notice: integration('bus-kafka/src/three-brokers') },
  { name: 'REQUEST_TIMED_OUT is refused', file: `${bus}/publishing/publish-outcome.ts`, find: "  'CORRUPT_MESSAGE',", replace: "  'REQUEST_TIMED_OUT', 'CORRUPT_MESSAGE',", notice: unit('bus-kafka/src/publishing/publish-outcome') },
  { name: 'NOT_LEADER_FOR_PARTITION is refused', file: `${bus}/publishing/publish-outcome.ts`, find: "  'CORRUPT_MESSAGE',", replace: "  'NOT_LEADER_FOR_PARTITION', 'CORRUPT_MESSAGE',", notice: integration('bus-kafka/src/three-brokers') },
  { name: 'UNKNOWN_TOPIC_OR_PARTITION is refused', file: `${bus}/publishing/publish-outcome.ts`, find: "  'CORRUPT_MESSAGE',", replace: "  'UNKNOWN_TOPIC_OR_PARTITION', 'CORRUPT_MESSAGE',", notice: unit('bus-kafka/src/publishing/publish-outcome') },
  { name: 'a later refusal hides an attempt with unknown outcome', file: `${bus}/publishing/publish-outcome.ts`, find: 'const unsure = before.unsure + (attempt.unsure ? 1 : 0);', replace: 'const unsure = attempt.unsure ? 1 : 0;', notice: unit('bus-kafka/src/publishing/publish-outcome') },
  { name: 'a partition that the answer leaves out is acknowledged', file: `${bus}/publishing/publisher.ts`, find: 'codes.get(entry.partition) === 0 ?', replace: '(codes.get(entry.partition) ?? 0) === 0 ?', notice: unit('bus-kafka/src/publishing/publisher') },
  { name: 'a written request without an answer is refused', file: `${bus}/publishing/publisher.ts`, find: 'const wrote = (link?.produceRequests() ?? 0) > before;', replace: 'const wrote = false;', notice: unit('bus-kafka/src/publishing/publisher') },
  { name: 'a failed connection is used again', file: `${bus}/publishing/publisher.ts`, find: '    link?.cut();\n    links.delete(', replace: '    links.delete(', notice: unit('bus-kafka/src/publishing/publisher') },
  { name: 'a batch is sent after a long connect', file: `${bus}/publishing/publisher.ts`, find: '        return batch.map(tryAgain);\n      }', replace: '      }', notice: unit('bus-kafka/src/publishing/publisher') },
  { name: 'one channel for all leaders', file: `${bus}/create-kafka-bus.ts`, find: 'channelOf: publisher.channelOf,', replace: 'channelOf: (topic) => Math.max(0, publisher.channelOf(topic, 0)),', notice: integration('bus-kafka/src/three-brokers') },
  { name: 'the leader of a failed send is trusted', file: `${bus}/cluster/topic-leaders.ts`, find: 'if (node === leader && (partition ?? index) === index) known[index] = noLeader;', replace: 'void [node, leader, partition, index];', notice: unit('bus-kafka/src/cluster/cluster-view') },
  { name: 'one broker that hangs stops the reading of the metadata', file: `${bus}/cluster/first-answer.ts`, find: 'timer = setTimeout(askNext, hedgeMs);', replace: 'timer = setTimeout(() => undefined, hedgeMs);', notice: unit('bus-kafka/src/cluster/first-answer') },
  { name: 'the same broker is asked for a better view', file: `${bus}/cluster/cluster-view.ts`, find: 'await this.read(this.lastAnswering);', replace: 'await this.read();', notice: unit('bus-kafka/src/cluster/cluster-view') },
  { name: 'a topic with too few partitions is used', file: `${kit}/check-partitions.ts`, find: 'if (existing >= partitions) return;', replace: 'if (existing >= partitions || existing > 0) return;', notice: unit('ports/src/testing/bus/memory-bus') },
  { name: 'entries of any age are sent', file: `${kit}/publish-queue.ts`, find: 'for (const entry of takeExpired(line, oldest)) settle(line, entry, expired(entry, maxAgeMs));', replace: 'takeExpired(line, -Infinity);', notice: unit('bus-kit/publish-queue') },
  { name: 'an expired entry that may be in the log is refused', file: `${kit}/publish-queue.ts`, find: "outcome: history && history.unsure > 0 ? 'unknown' : 'refused', message };", replace: "outcome: 'refused', message };", notice: unit('bus-kit/publish-queue') },
  { name: 'two sends of one partition at the same time', file: `${kit}/publish-lines.ts`, find: 'return !line.busy && line.waiting.length > 0;', replace: 'return line.waiting.length > 0;', notice: unit('bus-kit/publish-queue') },
  { name: 'an entry that returns to its line goes to the end', file: `${kit}/publish-queue.ts`, find: 'lineOf(entry).waiting.unshift(', replace: 'lineOf(entry).waiting.push(', notice: unit('bus-kit/publish-queue') },
  { name: 'a broker in trouble may fill the whole buffer', file: `${kit}/publish-queue.ts`, find: 'const full = buffered + bytes > half &&', replace: 'const full = buffered + bytes > 2 * half &&', notice: unit('bus-kit/publish-queue') },
  { name: 'waiting entries do not move to the new leader', file: `${kit}/publish-queue.ts`, find: 'wake: () => topics.forEach(wakeTopic),', replace: 'wake: () => undefined,', notice: unit('bus-kit/publish-queue') },
];
