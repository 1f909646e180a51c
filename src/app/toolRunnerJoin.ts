import * as path from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { TextInMemory, type SharedText } from '../base/sharedText.ts';
import { holdSecret } from '../host/byHand/argumentSecrets.ts';
import { KeptRuns } from '../host/byHand/keptRuns.ts';
import { KnownTools } from '../host/byHand/knownTools.ts';
import { SharedFile } from '../platform/sharedFile.ts';
import { findSecrets } from '../server/seen/withheld/findSecrets.ts';
import type { ChatDoor } from '../views/chatDoor.ts';
import type { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import type { ResourceDocuments } from '../views/resourceDocuments.ts';
import type { RunnerTabs } from '../views/runnerTabs.ts';
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
  readonly resources: Late<ResourceDocuments>;
}

/** Joins Run Tool to what it remembers, and to its tabs, which are loaded with the first of them. */
export function joinToolRunner(options: ViewsJoinOptions, views: ToolRunnerViews): ToolRunnerJoin {
  const { host, byHandStorage, reporter, log } = options;
  const { registry, serversKnown } = host;
  const lifetime = new DisposableStore();
  const known = lifetime.add(new KnownTools({ storage: byHandStorage.tools, clock: systemClock, log }));
  const kept = lifetime.add(new KeptRuns({ storage: byHandStorage.runs, holdSecret: secretCheck(options), clock: systemClock, log }));
  void kept.load();
  void known.load().then(() => known.look(registry.servers()));
  lifetime.add(registry.onDidChange(() => void known.look(registry.servers())));
  const load = async (tabs: DisposableStore): Promise<RunnerTabs> =>
    (await import('./runnerTabsJoin.ts')).joinRunnerTabs(options, views, kept, tabs);
  const runners = lifetime.add(new ToolRunners({ serversKnown, load, report: (error) => reporter.report(error) }));
  return { runners, kept, known, dispose: () => lifetime.dispose() };
}

function secretCheck({ secrets }: ViewsJoinOptions): ConstructorParameters<typeof KeptRuns>[0]['holdSecret'] {
  return (serverId, args) => holdSecret(args, { hasSecret: (text) => findSecrets(text).length > 0, known: secrets.of(serverId) });
}
