import * as path from 'node:path';
import type { SupervisorLaunch } from './supervisorClient.ts';

/** VS Code's own runtime as plain Node, with nothing of the editor's environment but what it needs to run. */
export function supervisorLaunch(extensionPath: string): SupervisorLaunch {
  return {
    command: process.execPath,
    args: [path.join(extensionPath, 'dist', 'supervisor.js')],
    env: { ELECTRON_RUN_AS_NODE: '1', ...inherited('PATH'), ...inherited('SystemRoot') },
  };
}

function inherited(name: string): Readonly<Record<string, string>> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}
