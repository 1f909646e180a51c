import * as os from 'node:os';
import { editorServerName } from '../../contract/identity.ts';
import { builtInId } from '../../definitions/serverNames.ts';
import { listDefinitionFolders } from '../../editor/shared/workspaceFolders.ts';
import type { TrafficPeer } from '../../traffic/trafficTap.ts';
import { ownScriptTarget, scriptOf, scriptTarget, sendAgain, type TargetOf, whyNoScript } from '../../views/traffic/repeatExchange.ts';
import { callWithProgress } from '../../views/native/progress.ts';
import { TrafficView } from '../../views/traffic/trafficView.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** Joins the view of all protocol messages to what can be done with one of them. Loaded when the view is first shown. */
export function joinTrafficView(options: ViewsJoinOptions): TrafficView {
  const { extensionUri, traffic, host, questions, reporter, log } = options;
  const { registry, reader, caller } = host;
  const ask = questions.askOwn;
  return new TrafficView({
    traffic,
    extensionUri,
    sendAgain: (record) =>
      sendAgain(
        {
          registry,
          reader,
          call: (server, tool, args) =>
            callWithProgress(caller, server, { principal: 'traffic', asker: { kind: 'person' }, tool, arguments: args, ask }),
          ask,
        },
        record,
      ),
    scriptOf: (record) => scriptOf(record, (peer) => targetOf(peer, options)),
    whyNoScript: (record) => whyNoScript(record, (peer) => targetOf(peer, options)),
    onFailure: (error) => reporter.report(error),
    log,
  });
}

/**
 * Where a script would reach this peer. The editor's own server is always reached by the port of outside clients, also for
 * requests of the chat.
 */
function targetOf({ side, id }: TrafficPeer, { host, server, signIns }: ViewsJoinOptions): ReturnType<TargetOf> {
  if (side === 'client' || id === builtInId(editorServerName)) {
    return server.state.kind === 'listening' ? ownScriptTarget(server.state.urls.mcp) : 'notListening';
  }
  const definition = host.registry.definitionOf(id);
  if (definition === undefined) {
    return 'gone';
  }
  try {
    const place = {
      folders: listDefinitionFolders(),
      userHome: os.homedir(),
      platform: process.platform,
      isSignedIn: signIns.isSignedIn(id),
    };
    return scriptTarget(definition, place) ?? 'unreachable';
  } catch {
    return 'gone'; // the definition was changed since, and cannot be started any more
  }
}
