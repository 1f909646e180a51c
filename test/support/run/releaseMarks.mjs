/**
 * A file with `.long.` in its name has tests that only a release is tested with. Where that is one test among quick ones, its title
 * ends in the mark, and it stays beside the others.
 */
export const releaseMark = ' (release)';

/** The environment variable that tells a process of tests which of these to run: `without` the marked ones, `only` those, or all. */
export const marksVariable = 'DUPLEX_TEST_MARKS';

/** The one that tells it how often to run each. */
export const repeatVariable = 'DUPLEX_TEST_REPEAT';

/** @param {string} file of source or made from it */
export function isLongFile(file) {
  return /\.long\.(?:test|spec)\.[jt]s$/.test(file);
}

/**
 * @param {string | undefined} marks
 * @param {string} file
 * @param {string} title
 */
export function isRunBy(marks, file, title) {
  const isMarked = title.endsWith(releaseMark);
  return marks === 'without' ? !isMarked : marks === 'only' ? isMarked || isLongFile(file) : true;
}
