/** Options of Node for a service, wherever it runs. */

/** The part of a container's memory that the heap may take: buffers, stacks and code live outside it. */
const heapShare = 0.75;
/** Of the part of the heap for new objects: its usual size, and how many times it is there. */
const [usualSemiSpace, semiSpaces] = [16, 3];

/** In any container. */
export const nodeOptions = ({ semiSpace }) =>
  ['--enable-source-maps', ...(semiSpace === undefined ? [] : [`--max-semi-space-size=${semiSpace}`])].join(' ');

/** MiB of the old objects in a container with a limit: a larger part for new ones is taken from it. */
export const oldSpace = ({ semiSpace = usualSemiSpace, resources: { maxMemory } }) =>
  Math.floor(maxMemory * heapShare) - semiSpaces * (semiSpace - usualSemiSpace);
