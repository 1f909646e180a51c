/** Thousands of places lie in a few files: within one answer each file is judged once. */
export function judgedOnce(isShown: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const shown = known.get(path) ?? isShown(path);
    known.set(path, shown);
    return shown;
  };
}
