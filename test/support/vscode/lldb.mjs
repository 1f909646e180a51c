import { access, constants } from 'node:fs/promises';

import { installSystemPackages } from '../run/systemPackages.mjs';

const program = '/usr/bin/lldb';

/** Installs the debugger of compiled programs by the system's package manager, if need and rights are there. Tests skip where it is not. */
export async function ensureLldb() {
  const isThere = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await installSystemPackages('the debugger of compiled programs', ['lldb']);
  }
}
