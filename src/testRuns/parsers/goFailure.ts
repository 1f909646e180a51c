import { placesIn } from './places.ts';
import { failure, reportLimits, type ParsedFailure, type Place } from './report.ts';

/** A failed test of Go, or a package that failed without one: then the name is empty. */
export function goFailure(owner: string, name: string, message: string, output = message): ParsedFailure {
  const title = [owner, name].filter((part) => part !== '').join(' > ');
  return failure(title, message, packagePlaces(placesIn(output), owner));
}

/** The tests that `name` is a subtest of. They sum it up: only the innermost tests count. */
export function testsAround(name: string): string[] {
  const segments = name.split('/');
  return segments.slice(1, reportLimits.nesting).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Go names a test's file without its folder: the folder is the tail of the package, of unknown length. */
function packagePlaces(places: readonly Place[], owner: string): Place[] {
  const segments = owner.split('/');
  return places.flatMap((place) => {
    if (/[\\/]/.test(place.file)) {
      return [place];
    }
    const tails = segments.map((_, index) => segments.slice(index + 1).join('/')).slice(-4);
    return tails.map((tail) => ({ file: tail === '' ? place.file : `${tail}/${place.file}`, line: place.line }));
  });
}
