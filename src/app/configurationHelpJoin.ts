import { prefixed, type Log } from '../base/log.ts';
import type { KnownSecrets } from '../definitions/knownSecrets.ts';
import { ConfigurationHelp } from '../editor/configurationHelp.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { helpedPath } from '../languageServer/helpedFiles.ts';
import type { LoginShellPath } from '../platform/processes/loginShellPath.ts';
import { type ErrorReporter, say } from '../views/errorReporter.ts';

const schemes = ['file', 'vscode-userdata', 'vscode-remote'];
const languages = ['jsonc', 'json'];

export interface ConfigurationHelpJoinOptions {
  readonly extensionPath: string;
  /** The folder where VS Code keeps its own settings. */
  readonly userDataPath: string;
  readonly host: { readonly registry: HostRegistry };
  readonly secrets: KnownSecrets;
  readonly loginShellPath: LoginShellPath;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

/** Joins configuration files to their language server, through the library that speaks its protocol. */
export function joinConfigurationHelp(options: ConfigurationHelpJoinOptions): ConfigurationHelp {
  const log = prefixed(options.log, 'configuration help');
  return new ConfigurationHelp({
    isHelped: ({ uri, languageId }) => schemes.includes(uri.scheme) && languages.includes(languageId) && helpedPath.test(uri.path),
    createClient: async () => {
      const { createConfigurationClient } = await import('./configurationClient.ts');
      return createConfigurationClient({ ...options, schemes, languages, log });
    },
    schema: async () => (await import('../languageServer/fileSchema.ts')).fileSchemaText(say),
    log,
  });
}
