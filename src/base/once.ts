/** For what is made when it is first asked for: code that is loaded makes nothing of it yet. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
