// server/: the editor as an MCP server. From the bottom up: errors/, seen/, access/, offer/, protocol/, wire/, oauth/ and window/;
// each stands on some of those before it. This file is the entry.
import { homedir } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { GrantsPort, Viewer } from './seen/viewer.ts';
import type { ActingClient, ActRequest, ClientApproval, RoleCall } from './access/clientApproval.ts';
import type { AccessPolicy, HiddenPaths } from './access/policy.ts';
import { createEditorCatalog } from './offer/editorCatalog.ts';
import { withOfferedServers } from './offer/offered/offeredCatalog.ts';
import type { OfferedServersPort } from './offer/offered/offeredPort.ts';
import { resolveDuplexHome } from './window/discovery.ts';
import type { EditorPort } from './seen/ports/editorPort.ts';
import { createServerCore, type EmbeddedServer, type ServerCoreOptions } from './window/serverCore.ts';
import { EndingCalls } from './seen/endingCalls.ts';
import { Workbench, type WorkbenchPort } from './seen/workbench.ts';
import { EditorViews } from './seen/withheld/editorViews.ts';

export interface EmbeddedServerOptions extends Omit<ServerCoreOptions, 'catalog' | 'folders' | 'workbench' | 'parts'> {
  readonly editor: EditorPort;
  /** The page of the window; without it, the editor counts as always there. */
  readonly workbench?: WorkbenchPort | undefined;
  /** Further folders that no outside client ever sees, such as the editor's own data. */
  readonly neverShown?: readonly string[] | undefined;
  /** What the person shows to single clients; by default nothing. */
  readonly grants?: GrantsPort | undefined;
  /** The servers that the person offers to clients; by default none. */
  readonly offered?: OfferedServersPort | undefined;
}

/** Makes the running editor an MCP server. */
export function createEmbeddedServer({ neverShown = [], grants, offered, ...options }: EmbeddedServerOptions): EmbeddedServer {
  const { clock = systemClock } = options;
  const workbench = new Workbench(options.workbench ?? { ping: () => Promise.resolve() }, clock);
  const calls = new EndingCalls({ workbench, clock });
  const editor = calls.of(options.editor);
  const standardHome = resolveDuplexHome(undefined, homedir(), []).path;
  const views = new EditorViews(editor, [options.duplexHome, standardHome, ...neverShown], grants, (viewer) =>
    hiddenFrom(viewer, core.policy),
  );
  const editors = { for: (viewer: Viewer) => views.for(viewer), toActFor: (viewer: Viewer) => views.toActFor(viewer) };
  const own = createEditorCatalog(editor, editors, grants?.onDidChange);
  const catalog = offered === undefined ? own : withOfferedServers(own, offered, (viewer) => grants?.of(viewer).allTools === true);
  const folders = { list: () => editor.listWorkspaceFolders(), onDidChange: editor.onDidChangeWorkspaceFolders };
  const core = createServerCore({
    ...options,
    approval: endingQuestions(options.approval, calls),
    workbench,
    catalog,
    folders,
    parts: [calls],
  });
  return core;
}

/** Ends questions when there is no page to answer on. Only the connect question stays open, because clients never wait for it for long. */
function endingQuestions(approval: ClientApproval, calls: EndingCalls): ClientApproval {
  return {
    ask: (client, signal) => approval.ask(client, signal),
    confirm: calls.ofQuestion((client: ActingClient, act: ActRequest, signal: AbortSignal) => approval.confirm(client, act, signal)),
    confirmOwn: (own, signal) => approval.confirmOwn(own, signal),
    raiseRole: calls.ofQuestion((client: ActingClient, call: RoleCall, signal: AbortSignal) => approval.raiseRole(client, call, signal)),
    get standing() {
      return approval.standing;
    },
  };
}

function hiddenFrom({ credential, transport, rights }: Viewer, policy: AccessPolicy): HiddenPaths | undefined {
  return policy.hiddenFrom({ client: credential.id, transport, role: rights.role() });
}
