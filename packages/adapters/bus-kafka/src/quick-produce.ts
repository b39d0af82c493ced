import { encodeProduce, type ProduceInput } from './encode-produce';

interface ProduceRequest {
  request: { encode(): Promise<unknown> };
}

/** How kafkajs finds the requests of an API: `protocol` is asked for the one that broker and client both speak. */
interface RequestDefinitions {
  protocol(of: { version: number }): (input: ProduceInput) => ProduceRequest;
}

/** The versions whose body `encodeProduce` writes; kafkajs speaks none above. */
const [firstVersion, lastVersion] = [3, 7];

let done = false;

/**
 * Has kafkajs send the produce requests that `encodeProduce` writes; everything around them, answers included, stays its own. Once for
 * the process. It reaches into kafkajs, whose version is pinned: a test compares the bytes of both (ADR 0023).
 */
export function useQuickProduce(): void {
  if (done) return;
  done = true;
  // No part of its types.
  const definitions = require('kafkajs/src/protocol/requests/produce') as RequestDefinitions;
  const original = definitions.protocol;
  definitions.protocol = ({ version }) => {
    const create = original({ version });
    if (version < firstVersion || version > lastVersion) return create;
    return (input) => {
      const made = create(input);
      const encode = async (): Promise<unknown> => {
        const body = encodeProduce(input, Date.now());
        // What is used of an encoder of kafkajs when it is written into another.
        return body ? { buf: body, buffer: body, size: () => body.length } : made.request.encode();
      };
      return { ...made, request: { ...made.request, encode } };
    };
  };
}
