import type { UnsavedFiles, UnsavedPort } from '../ports/unsavedPort.ts';
import type { Visibility } from './visibility.ts';

/** What a client may not see is unsaved all the same: the person is shown it by name, the client is told nothing of it. */
export function withholdingUnsaved(unsaved: UnsavedPort, { isShown }: Visibility): UnsavedPort {
  const seen = ({ paths, withheld }: UnsavedFiles): UnsavedFiles => ({
    paths: paths.filter((path) => isShown(path)),
    withheld: [...withheld, ...paths.filter((path) => !isShown(path))],
  });
  return { list: () => seen(unsaved.list()), save: async (paths) => seen(await unsaved.save(paths)) };
}
