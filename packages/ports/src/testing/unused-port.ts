/** Stands where a test needs a port that nothing in it uses: any call is an error that names the method. */
export function unusedPort<Port extends object>(name: string): Port {
  return new Proxy({} as Port, {
    get: (_, method) => () => {
      throw new Error(`${name}.${String(method)} is not part of this test`);
    },
  });
}
