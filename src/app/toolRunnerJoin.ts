import * as path from 'node:path';
import { neverAborted } from '../base/abort.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { TextInMemory, type SharedText } from '../base/sharedText.ts';
import { holdSecret } from '../host/byHand/argumentSecrets.ts';
import { KeptRuns } from '../host/byHand/keptRuns.ts';
import { KnownTools } from '../host/byHand/knownTools.ts';
import { toResultItems } from '../host/resultItems.ts';
import { startedServer } from '../host/runningServer.ts';
import { SharedFile } from '../platform/sharedFile.ts';
import { findSecrets } from '../server/seen/withheld/findSecrets.ts';
import { argumentValueFrom } from '../views/argumentValues.ts';
import type { ChatDoor } from '../views/chatDoor.ts';
import { MediaDocuments } from '../views/mediaDocuments.ts';
import { openRead } from '../views/openResource.ts';
import type { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import type { ResourceDocuments } from '../views/resourceDocuments.ts';
import { resultContent } from '../views/resultContent.ts';
import { ToolRunners } from '../views/toolRunners.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** What is remembered of tools that people run by hand. */
export interface ByHandStorage {
  readonly runs: SharedText;
  readonly tools: SharedText;
}

/** Without a place to keep it, each window remembers for itself. */
export async function openByHandStorage(storageFolder: string, log: Log, lifetime: DisposableStore): Promise<ByHandStorage> {
  const open = async (name: string): Promise<SharedText> => {
    try {
      return lifetime.add(await SharedFile.open(path.join(storageFolder, name), log));
    } catch (error) {
      log.error('What is run by hand is remembered by this window alone.', error);
      return new TextInMemory();
    }
  };
  const [runs, tools] = await Promise.all([open('toolRuns.json'), open('knownTools.json')]);
  return { runs, tools };
}

export interface ToolRunnerJoin extends Disposable {
  readonly runners: ToolRunners;
  readonly kept: KeptRuns;
  readonly known: KnownTools;
}

/** Where its results can go. */
export interface ToolRunnerViews {
  readonly chatDoor: ChatDoor;
  readonly documents: ReadOnlyDocuments;
  readonly resources: ResourceDocuments;
}

/** Joins Run Tool to the host, under permissions of its own, and to the chat that its results can be sent to. */
export function joinToolRunner(options: ViewsJoinOptions, { chatDoor, documents, resources }: ToolRunnerViews): ToolRunnerJoin {
  const { extensionUri, host, chat, questions, byHandStorage, lastTextEditor, reporter, log } = options;
  const { registry, caller } = host;
  const lifetime = new DisposableStore();
  const known = lifetime.add(new KnownTools({ storage: byHandStorage.tools, clock: systemClock, log }));
  const kept = lifetime.add(new KeptRuns({ storage: byHandStorage.runs, holdSecret: secretCheck(options), clock: systemClock, log }));
  void kept.load();
  void known.load().then(() => known.look(registry.servers()));
  lifetime.add(registry.onDidChange(() => void known.look(registry.servers())));
  const ask = questions.askOwn;
  const runners = lifetime.add(
    new ToolRunners({
      extensionUri,
      servers: () => registry.servers(),
      serversKnown: host.serversKnown,
      onDidChange: registry.onDidChange,
      call: async ({ serverId, tool }, args, hooks) => {
        await startedServer(registry, serverId, ask, hooks.signal);
        return caller.call({ principal: 'palette', asker: { kind: 'person' }, serverId, tool, arguments: args, ask, ...hooks });
      },
      check: (key, args, signal) => caller.refusalsOf(key, args, signal),
      kept,
      valueFrom: (source) => argumentValueFrom(source, lastTextEditor.editor),
      sendToChat: async ({ result, ...saidIn }) => {
        const { places } = await chat.load();
        await places.sidebar.context.attachResult(resultContent(toResultItems(result), result.isError), saidIn);
        await (await chatDoor.load()).focus();
      },
      openResource: (ref) => openRead(ref, resources, neverAborted()),
      documents,
      media: lifetime.add(new MediaDocuments()),
      reporter,
      clock: systemClock,
      log,
    }),
  );
  return { runners, kept, known, dispose: () => lifetime.dispose() };
}

function secretCheck({ secrets }: ViewsJoinOptions): ConstructorParameters<typeof KeptRuns>[0]['holdSecret'] {
  return (serverId, args) => holdSecret(args, { hasSecret: (text) => findSecrets(text).length > 0, known: secrets.of(serverId) });
}
