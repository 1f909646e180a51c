import { systemClock } from '../base/clock.ts';
import { Emitter, type Event } from '../base/events.ts';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { ActingViews } from '../editor/acting/actingViews.ts';
import { ChatDoor } from '../views/chatDoor.ts';
import type { ChatView } from '../views/chatView.ts';
import { createClientNotices } from '../views/clientNotices.ts';
import { ClientsTree } from '../views/clientsTree.ts';
import type { CommandHandlers } from '../views/commandTable.ts';
import { ConsentPanel } from '../views/consentPanel.ts';
import { ProblemActions } from '../views/problemActions.ts';
import { PromptPreviews } from '../views/promptPreviews.ts';
import { announceQuestion, windowFocus } from '../views/questionNotice.ts';
import { QuestionNotices, type NoticedSurface } from '../views/questionNotices.ts';
import type { FlatFiles } from '../editor/shared/flatFiles.ts';
import { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import { LateReviews } from '../views/lateReviews.ts';
import { lateCommands } from '../views/lateCommands.ts';
import { problemsOfNoServer } from '../views/serverNodes.ts';
import { ServersTree } from '../views/serversTree.ts';
import { definitionShower } from '../views/showDefinition.ts';
import { StatusItem } from '../views/statusItem.ts';
import { summarizeStatus } from '../views/statusSummary.ts';
import type { ToolTasks } from '../views/toolTasks.ts';
import { WaitingQuestions } from '../views/waitingQuestions.ts';
import { joinToolRunner } from './toolRunnerJoin.ts';
import { joinTraffic } from './trafficJoin.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

export interface ViewsJoin extends Disposable {
  /** What people see of clients that act. */
  readonly acting: ActingViews;
  readonly parts: WindowParts;
}

/** What VS Code asks a window for by itself. */
export interface WindowParts {
  readonly commands: CommandHandlers;
  readonly resources: () => Promise<FlatFiles>;
  readonly toolTasks: () => Promise<ToolTasks>;
}

type NoticedQuestions = NoticedSurface['questions'];

function joinQuestionNotices(panel: ConsentPanel, inPanel: OpenQuestions, chatDoor: ChatDoor, inChat: NoticedQuestions): Disposable {
  const surfaceOf = (questions: NoticedQuestions, view: ConsentPanel | ChatDoor): NoticedSurface => ({
    questions,
    isVisible: () => view.isVisible(),
    onDidChangeVisibility: view.onDidChangeVisibility,
  });
  const surfaces = [surfaceOf(inPanel, panel), surfaceOf(inChat, chatDoor)];
  return new QuestionNotices({ surfaces, ...windowFocus, notify: announceQuestion, clock: systemClock });
}

function joinStatus({ host, server }: ViewsJoinOptions, questions: WaitingQuestions, onDidChange: Event<void>): Disposable {
  const lifetime = new DisposableStore();
  const status = lifetime.add(new StatusItem());
  const refresh = (): void => {
    const clients = server.clients().length;
    status.show(summarizeStatus({ servers: host.registry.servers(), questions, embedded: server.state, clients }));
  };
  lifetime.add(onDidChange(refresh));
  lifetime.add(server.onDidChange(refresh));
  return lifetime;
}

/** Joins what people see to the rooms behind it. */
export function joinViews(options: ViewsJoinOptions): ViewsJoin {
  const { extensionUri, host, server, chat, questions, lastTextEditor, reporter, log } = options;
  const lifetime = new DisposableStore();
  const serversChanged = lifetime.add(new Emitter<void>());
  lifetime.add(host.registry.onDidChange(() => serversChanged.fire()));
  lifetime.add(options.signIns.onDidChange(() => serversChanged.fire()));
  const reviews = lifetime.add(new LateReviews((error) => reporter.report(error)));
  const waiting = lifetime.add(new WaitingQuestions({ panel: questions, review: reviews, chat: chat.questions }));
  lifetime.add(waiting.onDidChange(() => serversChanged.fire()));
  const serversTree = lifetime.add(
    new ServersTree({
      servers: () => host.registry.servers(),
      problems: () => problemsOfNoServer(host.registry.problems(), host.registry.servers()),
      modelName: (id, tool) => host.registry.modelName(id, tool),
      isSignedIn: (id) => options.signIns.isSignedIn(id),
      openQuestions: () => waiting.count,
      onDidChange: serversChanged.event,
    }),
  );
  lifetime.add(new ClientsTree(server));
  const documents = lifetime.add(new ReadOnlyDocuments());
  const showDefinition = definitionShower((id) => host.registry.definitionOf(id), reporter);
  const panel = lifetime.add(new ConsentPanel({ questions, showDefinition, extensionUri, reporter, log }));
  const trafficView = lifetime.add(joinTraffic(options));
  const loadChatView = async (): Promise<ChatView> => {
    const [{ ChatView: LoadedView }, { places }] = await Promise.all([import('../views/chatView.ts'), chat.load()]);
    return new LoadedView({ places, extensionUri, reporter, lastTextEditor, showDefinition, documents, log });
  };
  const chatDoor = lifetime.add(new ChatDoor({ load: loadChatView, report: (error) => reporter.report(error) }));
  lifetime.add(ProblemActions.register());
  lifetime.add(joinQuestionNotices(panel, questions, chatDoor, chat.questions));
  const resources = new Late(async () => (await import('./resourcesJoin.ts')).joinResources(options, lifetime));
  const previews = lifetime.add(new PromptPreviews());
  const byHand = lifetime.add(joinToolRunner(options, { chatDoor, documents, resources }));
  lifetime.add(joinStatus(options, waiting, serversChanged.event));
  const acted = { ...options, previews, panel, reviews, waiting, serversTree, documents, byHand, trafficView };
  const commands = lateCommands(async () => {
    const joining = import('./commands/commands.ts');
    const [{ joinCommands }, loadedChat, chatView, read] = await Promise.all([joining, chat.load(), chatDoor.load(), resources.get()]);
    return joinCommands({ ...acted, chat: loadedChat, chatView, resources: read }, serversChanged.event, lifetime);
  });
  const toolTasks = async (): Promise<ToolTasks> =>
    (await import('./toolTasksJoin.ts')).joinToolTasks({ registry: host.registry, caller: host.caller, questions });
  const notices = createClientNotices((sentence) => reporter.relay(sentence));
  const parts = { commands, resources: () => resources.get(), toolTasks };
  return { acting: { reviews, notices }, parts, dispose: () => lifetime.dispose() };
}
