type System = 'windows' | 'posix';

export function systemOf(platform: NodeJS.Platform): System {
  return platform === 'win32' ? 'windows' : 'posix';
}

/**
 * Whether merely looking at a path would reach out to another machine, with the person's name and proof on Windows: a share,
 * a device path that may lead to one, or a host under `/net`. Nothing is looked up. What is on the machine of one of `homes`
 * is not another: somebody chose to work there.
 */
export function isOnAnotherMachine(path: string, homes: readonly string[], system = systemOf(process.platform)): boolean {
  const machine = machineOf(path, system);
  return machine !== undefined && !homes.some((home) => machineOf(home, system) === machine);
}

/** By its name alone; `undefined` for this one. */
export function machineOf(path: string, system: System): string | undefined {
  const match = system === 'windows' ? /^[\\/]{2,}([^\\/]*)/.exec(path) : /^\/+net\/+([^/]+)/.exec(path);
  return match?.[1]?.toLowerCase();
}
