/**
 * Sets a field whose name is not ours. Plain assignment would let an authored `__proto__` reach the prototype; defining
 * everything is slow.
 */
export function setOwn<V>(target: Record<string, V>, name: string, value: V): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
