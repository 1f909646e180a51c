import * as vscode from 'vscode';
import { messageOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Event } from '../base/events.ts';
import type { Log } from '../base/log.ts';
import { agentCredentialId, mcpServerProvider, productName } from '../contract/identity.ts';
import type { CredentialStore } from '../server/access/credentials.ts';
import type { EmbeddedServerState } from '../server/window/serverCore.ts';

export interface AgentRegistrationOptions {
  readonly version: string;
  readonly state: () => EmbeddedServerState;
  readonly onDidChange: Event<void>;
  readonly credentials: CredentialStore;
  readonly log: Log;
}

/** The credential of VS Code's own agent; the label is what the person sees it by. */
const agent = { id: agentCredentialId, kind: 'clientToken', label: 'VS Code' } as const;

/** Offers this window's server to VS Code's own agent, where VS Code can be offered one. */
export function registerWithAgent(options: AgentRegistrationOptions): Disposable {
  const lifetime = new DisposableStore();
  if (!hasDefinitionProviders(vscode.version)) {
    return lifetime;
  }
  try {
    offer(options, lifetime);
  } catch (error) {
    options.log.warn(`VS Code's own agent was not offered this server: ${messageOf(error)}`);
  }
  return lifetime;
}

function offer({ version, state, onDidChange, credentials, log }: AgentRegistrationOptions, lifetime: DisposableStore): void {
  const changed = lifetime.add(new vscode.EventEmitter<void>());
  let offered = '';
  let admission: { readonly token: string; readonly url: string } | undefined;
  let withdraw: Disposable | undefined;
  lifetime.add({ dispose: () => withdraw?.dispose() });
  const url = (): string => {
    const now = state();
    return now.kind === 'listening' ? now.urls.mcp : '';
  };
  const admit = (address: string): string => {
    if (admission?.url !== address || credentials.verify(admission.token) === undefined) {
      withdraw?.dispose();
      const minted = credentials.mint(agent);
      withdraw = minted.withdraw;
      admission = { token: minted.token, url: address };
    }
    return admission.token;
  };
  lifetime.add(
    onDidChange(() => {
      if (url() !== offered) {
        offered = url();
        // An old token must not become valid again when the listener starts again.
        withdraw?.dispose();
        admission = undefined;
        changed.fire();
      }
    }),
  );
  lifetime.add(
    vscode.lm.registerMcpServerDefinitionProvider(mcpServerProvider, {
      onDidChangeMcpServerDefinitions: changed.event,
      // The token is not in here: VS Code keeps what is listed in its storage.
      provideMcpServerDefinitions: () =>
        url() === '' ? [] : [new vscode.McpHttpServerDefinition(productName, vscode.Uri.parse(url(), true), {}, version)],
      resolveMcpServerDefinition: (definition) => {
        const address = url();
        if (address === '') {
          log.info("VS Code's own agent asked for this server while it is off.");
          return undefined;
        }
        const headers = { Authorization: `Bearer ${admit(address)}` };
        return new vscode.McpHttpServerDefinition(definition.label, vscode.Uri.parse(address, true), headers, version);
      },
    }),
  );
}

/**
 * Whether this version of VS Code can be offered servers. The version decides, because older ones have a function of that name
 * that throws.
 */
export function hasDefinitionProviders(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 1 || (major === 1 && minor >= 101);
}
