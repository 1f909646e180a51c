import { access, constants } from 'node:fs/promises';

import { installSystemPackages } from './systemPackages.mjs';

/** What boxes of servers are made with, by the names of Debian's packages. */
const programs = Object.freeze({ bubblewrap: '/usr/bin/bwrap', socat: '/usr/bin/socat' });

/** Installs what boxes are made with by the system's package manager, if need and rights are there. Tests skip where it is not. */
export async function ensureBoxPrograms() {
  if (!(await hasBoxPrograms())) {
    await installSystemPackages('what boxes of servers are made with', Object.keys(programs));
  }
}

/** @returns {Promise<boolean>} */
export async function hasBoxPrograms() {
  const found = await Promise.all(
    Object.values(programs).map((file) =>
      access(file, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}
