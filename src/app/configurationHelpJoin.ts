import * as path from 'node:path';
import { prefixed, type Log } from '../base/log.ts';
import { ConfigurationHelp } from '../editor/configurationHelp.ts';
import { documentKind } from '../languageServer/documents.ts';

const schemes = ['file', 'vscode-userdata', 'vscode-remote'];
const languages = ['jsonc', 'json'];

/** Joins configuration files to their language server, through the library that speaks its protocol. */
export function joinConfigurationHelp(extensionPath: string, windowLog: Log): ConfigurationHelp {
  const log = prefixed(windowLog, 'configuration help');
  return new ConfigurationHelp({
    isHelped: ({ uri, languageId }) =>
      schemes.includes(uri.scheme) && languages.includes(languageId) && documentKind(uri.toString()) !== undefined,
    createClient: async () => {
      const { createConfigurationClient } = await import('./configurationClient.ts');
      return createConfigurationClient(path.join(extensionPath, 'dist', 'languageServer.js'), { schemes, languages }, log);
    },
    log,
  });
}
