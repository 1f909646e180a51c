import { neverAborted } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import type { DisposableStore } from '../../base/lifecycle.ts';
import type { KeptRuns } from '../../host/byHand/keptRuns.ts';
import { toResultItems } from '../../host/tools/resultItems.ts';
import { startedServer } from '../../host/tools/runTool.ts';
import { contextFlag } from '../../views/native/contextFlags.ts';
import { argumentValueFrom } from '../../views/runner/argumentValues.ts';
import { MediaDocuments } from '../../views/runner/mediaDocuments.ts';
import { openRead } from '../../views/resources/openResource.ts';
import { resultContent } from '../../views/runner/toolResults.ts';
import { RunnerTabs } from '../../views/runner/runnerTabs.ts';
import type { ToolRunnerViews } from './toolRunnerJoin.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

/** Joins the tabs of Run Tool to the host, under permissions of their own, and to the chat that results can be sent to. */
export function joinRunnerTabs(
  options: ViewsJoinOptions,
  { chatView, documents, resources }: ToolRunnerViews,
  kept: KeptRuns,
  lifetime: DisposableStore,
): RunnerTabs {
  const { extensionUri, host, chat, questions, lastTextEditor, reporter, log } = options;
  const { registry, caller } = host;
  const ask = questions.askOwn;
  const tellRun = contextFlag('duplex.hasRunTool');
  return new RunnerTabs({
    extensionUri,
    servers: () => registry.servers(),
    serversKnown: host.serversKnown,
    onDidChange: registry.onDidChange,
    call: async ({ serverId, tool }, args, hooks, press) => {
      await startedServer(registry, serverId, ask, hooks.signal);
      const asker = { kind: 'person' } as const;
      const outcome = await caller.call({ principal: 'palette', asker, serverId, tool, arguments: args, ask, ...hooks, press });
      if (outcome.kind === 'result') {
        tellRun(true);
      }
      return outcome;
    },
    definitionOf: (key) => caller.definitionFor('palette', key),
    check: (key, args, signal) => caller.refusalsOf(key, args, signal),
    kept,
    valueFrom: (source) => argumentValueFrom(source, lastTextEditor.editor),
    sendToChat: async ({ result, ...saidIn }) => {
      const { places } = await chat.get();
      await places.sidebar.context.attachResult(resultContent(toResultItems(result), result.isError), saidIn);
      await (await chatView.get()).focus();
    },
    openApp: async (app) => (await chat.get()).apps.showAlone({ ...app, ask }),
    openResource: async (ref) => openRead(ref, await resources.get(), neverAborted()),
    documents,
    media: lifetime.add(new MediaDocuments()),
    reporter,
    clock: systemClock,
    log,
  });
}
