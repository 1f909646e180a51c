import type { JsonObject } from '../base/json.ts';

/** Programs whose configuration Duplex can write. */
export const knownHosts = ['claudeDesktop', 'claudeCode', 'cursor', 'vscode', 'inspector', 'plain'] as const;
export type KnownHost = (typeof knownHosts)[number];

/** How another program reaches this editor: by a command that finds its window, or by an address that stays the same. */
export type HostConnection =
  | { readonly kind: 'bridge'; readonly command: string; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: 'address'; readonly url: string };

export const clientTokenVariable = 'DUPLEX_CLIENT_TOKEN';

/** Whether a program can be given an address. Claude Desktop only launches commands. */
function takesAddresses(host: KnownHost): boolean {
  return host !== 'claudeDesktop';
}

/** Returns the address to offer to a program, if it stays the same: the person has chosen a port, and this window has it. */
export function offeredAddress(
  host: KnownHost,
  fixedPort: number | undefined,
  listening: { readonly port: number; readonly url: string } | undefined,
): string | undefined {
  return takesAddresses(host) && listening !== undefined && listening.port === fixedPort ? listening.url : undefined;
}

/** Writes the configuration that can be pasted into the program's own file. */
export function configurationText(host: KnownHost, connection: HostConnection, token: string): string {
  const servers = { duplex: serverEntry(host, connection, token) };
  return `${JSON.stringify(host === 'vscode' ? { servers } : { mcpServers: servers }, undefined, 2)}\n`;
}

function serverEntry(host: KnownHost, connection: HostConnection, token: string): JsonObject {
  if (connection.kind === 'bridge') {
    const type = host === 'vscode' || host === 'claudeCode' || host === 'inspector' ? { type: 'stdio' } : {};
    return { ...type, command: connection.command, args: [], env: { ...connection.env, [clientTokenVariable]: token } };
  }
  const types: Readonly<Partial<Record<KnownHost, string>>> = { vscode: 'http', claudeCode: 'http', inspector: 'streamable-http' };
  const type = types[host];
  return { ...(type === undefined ? {} : { type }), url: connection.url, headers: { Authorization: `Bearer ${token}` } };
}
