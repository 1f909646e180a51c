/** Copies an object without some of its optional properties, because `exactOptionalPropertyTypes` does not allow them to be `undefined`. */
export function without<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> & Pick<Partial<T>, K> {
  const copy: Partial<T> = { ...value };
  names.forEach((name) => Reflect.deleteProperty(copy, name));
  return copy as Omit<T, K> & Pick<Partial<T>, K>;
}
