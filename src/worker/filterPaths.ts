import type { FilterRequest, SearchThreadReport } from '../contract/searchMessages.ts';

/** So many paths are looked at between two reports. */
const pathsPerReport = 500;

/** The paths that globs leave, by their index. */
export function* filterPaths({ paths, prefixLengths, include, exclude }: FilterRequest): Generator<SearchThreadReport> {
  const wanted = include.map(({ source, flags }) => new RegExp(source, flags));
  const unwanted = exclude.map(({ source, flags }) => new RegExp(source, flags));
  let kept: number[] = [];
  for (const [index, path] of paths.entries()) {
    const own = path.slice(prefixLengths[index]);
    const matches = (pattern: RegExp): boolean => pattern.test(own) || (own !== path && pattern.test(path));
    if ((wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches)) {
      kept.push(index);
    }
    if ((index + 1) % pathsPerReport === 0) {
      yield { kind: 'kept', indexes: kept };
      kept = [];
    }
  }
  yield { kind: 'kept', indexes: kept };
}
