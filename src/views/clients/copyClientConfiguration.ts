import * as os from 'node:os';
import * as vscode from 'vscode';
import { configurationText, offeredAddress, type HostConnection, type KnownHost } from '../../contract/clientConfigurations.ts';
import { foldersOfWorkspace } from '../../editor/shared/workspaceFolders.ts';
import type { IssuedCredentials } from '../../server/window/issuedCredentials.ts';
import type { EmbeddedServerState } from '../../server/window/serverCore.ts';
import { nativeText } from '../nativeText.ts';

/** The editor's own server, as far as a configuration for its clients needs it. */
export interface ConfiguredEntry {
  readonly state: EmbeddedServerState;
  /** The port that the settings name, if they name one. */
  readonly fixedPort: number | undefined;
  readonly credentials: Pick<IssuedCredentials, 'mintFor' | 'revoke'>;
}

type Report = (error: unknown) => void;
type Issued = Awaited<ReturnType<IssuedCredentials['mintFor']>>;

/** `Copy Client Configuration…`: copies the configuration for a program that shall use this editor, with a new secret in it. */
export async function copyClientConfiguration(server: ConfiguredEntry, report: Report): Promise<void> {
  const choice = await pickHost();
  if (choice !== undefined) {
    await copyFor(choice, server, report);
  }
}

/** Copies the configuration for a program that is known already. */
export async function copyConfigurationFor(host: KnownHost, server: ConfiguredEntry, report: Report): Promise<void> {
  const choice = hostChoices().find((each) => each.host === host);
  if (choice !== undefined) {
    await copyFor(choice, server, report);
  }
}

async function copyFor(choice: HostChoice, server: ConfiguredEntry, report: Report): Promise<void> {
  const connection = await connectionFor(choice.host, server);
  if (connection === undefined) {
    return;
  }
  const issued = await server.credentials.mintFor(choice.label, (token) =>
    vscode.env.clipboard.writeText(configurationText(choice.host, connection, token)),
  );
  // Not awaited: the command is done, the notification may stand for long.
  void offerRevoke(choice, issued, server, report).catch(report);
}

/** Offers Revoke until the secret is revoked or nobody wants that. */
async function offerRevoke(choice: HostChoice, issued: Issued, { credentials }: ConfiguredEntry, report: Report): Promise<void> {
  while (await tellCopied(choice, issued.credentialId)) {
    try {
      await credentials.revoke(issued);
      tellRevoked(choice);
      return;
    } catch (error) {
      report(error);
    }
  }
}

async function connectionFor(host: KnownHost, { state, fixedPort }: ConfiguredEntry): Promise<HostConnection | undefined> {
  const listening = state.kind === 'listening' ? { port: state.port, url: state.urls.mcp } : undefined;
  const url = offeredAddress(host, fixedPort, listening);
  const kind = url === undefined ? 'bridge' : await pickConnection(url);
  if (kind === 'address' && url !== undefined) {
    return { kind, url };
  }
  return kind === 'bridge' ? bridgeToHere() : undefined;
}

async function bridgeToHere(): Promise<HostConnection> {
  const { bridgeConnection } = await import('../../server/window/discovery.ts');
  const folders = foldersOfWorkspace().map((folder) => folder.path);
  return bridgeConnection(process.env['DUPLEX_HOME'], os.homedir(), folders);
}

interface HostChoice {
  readonly host: KnownHost;
  readonly label: string;
  /** Where the program keeps its configuration, in words. */
  readonly place: string;
}

/** The programs that people use, in the order in which they are offered. */
function hostChoices(): readonly HostChoice[] {
  const { t } = vscode.l10n;
  return [
    { host: 'claudeDesktop', label: 'Claude Desktop', place: t('claude_desktop_config.json (Settings › Developer › Edit Config)') },
    { host: 'claudeCode', label: 'Claude Code', place: t('the user’s ~/.claude.json') },
    { host: 'cursor', label: 'Cursor', place: '~/.cursor/mcp.json' },
    { host: 'vscode', label: 'VS Code', place: t('the user’s mcp.json (MCP: Open User Configuration)') },
    { host: 'inspector', label: 'MCP Inspector', place: t('a file for --config, with --server duplex') },
    { host: 'plain', label: t('Plain JSON'), place: t('the configuration of any other program') },
  ];
}

async function pickHost(): Promise<HostChoice | undefined> {
  const items = hostChoices().map((choice) => ({ label: choice.label, description: choice.place, choice }));
  const placeHolder = vscode.l10n.t('Choose the program that shall see this editor');
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.choice;
}

async function pickConnection(url: string): Promise<'bridge' | 'address' | undefined> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { readonly way: 'bridge' | 'address' })[] = [
    { label: t('By command'), description: t('finds the right window by itself'), way: 'bridge' },
    { label: t('By address'), description: nativeText(url), way: 'address' },
  ];
  return (await vscode.window.showQuickPick(items, { placeHolder: t('How shall it connect?') }))?.way;
}

/** Tells what was copied. Resolves to true when the person revokes it at once. */
async function tellCopied(choice: HostChoice, credentialId: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const revoke = t('Revoke');
  const sentence = t(
    'The configuration for {0} is on the clipboard. Paste it into {1}. It holds a secret that is made for this program ({2}) and works in every window until you revoke it under Connected Clients: share it with nobody, and commit it nowhere.',
    choice.label,
    choice.place,
    credentialId,
  );
  return (await vscode.window.showInformationMessage(nativeText(sentence, 600), revoke)) === revoke;
}

function tellRevoked(choice: HostChoice): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The secret of the copied configuration for {0} is no longer valid.', choice.label),
  );
}
