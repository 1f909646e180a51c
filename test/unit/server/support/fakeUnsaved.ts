import type { UnsavedFiles, UnsavedPort } from '../../../../src/server/seen/ports/unsavedPort.ts';

/** An editor with as much unsaved as the test says; all of it can be saved but what is `stuck`. */
export class FakeUnsaved implements UnsavedPort {
  paths: readonly string[] = [];
  stuck: readonly string[] = [];
  saves = 0;

  list(): UnsavedFiles {
    return { paths: this.paths, withheld: [] };
  }

  save(wanted: readonly string[]): Promise<UnsavedFiles> {
    this.saves += 1;
    this.paths = this.paths.filter((path) => !wanted.includes(path) || this.stuck.includes(path));
    return Promise.resolve({ paths: this.paths.filter((path) => wanted.includes(path)), withheld: [] });
  }
}
