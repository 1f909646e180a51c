import { bridgeLauncherPath } from './bridgeLauncher.ts';
import { resolveDuplexHome } from './discoveryFiles.ts';

/** What a host launches to reach this editor. */
export interface BridgeConnection {
  readonly kind: 'bridge';
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The arguments are those of `resolveDuplexHome`. */
export function bridgeConnection(...[variable, homeFolder, workspaceFolders]: Parameters<typeof resolveDuplexHome>): BridgeConnection {
  const home = resolveDuplexHome(variable, homeFolder, workspaceFolders).path;
  const isStandard = home === resolveDuplexHome(undefined, homeFolder, []).path;
  // A host does not have this editor's environment.
  return { kind: 'bridge', command: bridgeLauncherPath(home), env: isStandard ? {} : { DUPLEX_HOME: home } };
}
