/** A port that a test must pass and that nothing uses: any call is an error that names the method. */
export const unusedPort = <Port extends object>(name: string): Port => partialPort<Port>(name, {});

/** A port of which a test uses only these calls: any other is an error that names the method. */
export function partialPort<Port extends object>(name: string, calls: Partial<Port>): Port {
  return new Proxy(calls as Port, {
    get: (given, method, receiver) =>
      Reflect.has(given, method)
        ? (Reflect.get(given, method, receiver) as unknown)
        : () => {
            throw new Error(`${name}.${String(method)} is not part of this test`);
          },
  });
}
