import { abortError } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import type { Late } from '../../base/late.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { tabTypes } from '../../contract/identity.ts';
import { holdSecret } from '../../secrets/findSecrets.ts';
import { KeptRuns } from '../../host/byHand/keptRuns.ts';
import { KnownTools } from '../../host/byHand/knownTools.ts';
import type { ChatView } from '../../views/chat/chatView.ts';
import { Doorway } from '../../views/pages/doorway.ts';
import type { ReadOnlyDocuments } from '../../views/native/readOnlyDocuments.ts';
import type { ResourceDocuments } from '../../views/resources/resourceDocuments.ts';
import type { RunnerTabs } from '../../views/runner/runnerTabs.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

export interface ToolRunnerJoin extends Disposable {
  readonly tabs: Late<RunnerTabs>;
  readonly kept: KeptRuns;
  readonly known: KnownTools;
}

/** The views to which results can go. */
export interface ToolRunnerViews {
  readonly chatView: Late<ChatView>;
  readonly documents: ReadOnlyDocuments;
  readonly resources: Late<ResourceDocuments>;
}

/** Joins Run Tool to what it remembers, and to its tabs, which are loaded with the first of them. */
export function joinToolRunner(options: ViewsJoinOptions, views: ToolRunnerViews): ToolRunnerJoin {
  const { host, byHandStorage, reporter, log } = options;
  const { registry } = host;
  const lifetime = new DisposableStore();
  const known = lifetime.add(new KnownTools({ storage: byHandStorage.tools, clock: systemClock, log }));
  const kept = lifetime.add(new KeptRuns({ storage: byHandStorage.runs, holdSecret: secretCheck(options), clock: systemClock, log }));
  void kept.load();
  void known.load().then(() => known.look(registry.servers()));
  lifetime.add(registry.onDidChange(() => void known.look(registry.servers())));
  const load = async (): Promise<RunnerTabs> => {
    const made = lifetime.add((await import('./runnerTabsJoin.ts')).joinRunnerTabs(options, views, kept, lifetime));
    if (lifetime.isDisposed) {
      throw abortError();
    }
    return made;
  };
  const tabs = lifetime.add(new Doorway({ load, report: (error) => reporter.report(error) }));
  tabs.reopenTabs(tabTypes.runner, (runnerTabs, panel, stored) => runnerTabs.restore(panel, stored));
  return { tabs, kept, known, dispose: () => lifetime.dispose() };
}

function secretCheck({ secrets }: ViewsJoinOptions): ConstructorParameters<typeof KeptRuns>[0]['holdSecret'] {
  return (serverId, args) => holdSecret(args, secrets.of(serverId));
}
