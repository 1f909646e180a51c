// views/: joins every view and page with what it shows and asks for; what is only opened at times is loaded then.
import { systemClock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { Late, lateMethods } from '../../base/late.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import type { KnownSecrets } from '../../definitions/knownSecrets.ts';
import { commands } from '../../contract/commands.ts';
import { tabTypes, views } from '../../contract/identity.ts';
import type { ActingViews } from '../../editor/acting/actingViews.ts';
import type { FlatFiles } from '../../editor/shared/flatFiles.ts';
import { isRepeatable } from '../../traffic/messageFacts.ts';
import { TrafficLog } from '../../traffic/trafficLog.ts';
import type { ChatView, ChatViewOptions } from '../../views/chat/chatView.ts';
import { ProblemActions } from '../../views/chat/problemActions.ts';
import { createClientNotices } from '../../views/clients/clientNotices.ts';
import { ClientsTree } from '../../views/clients/clientsTree.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { Doorway } from '../../views/pages/doorway.ts';
import { lateReviews, reviewPort } from '../../views/proposals/lateReviews.ts';
import { ConsentPanel } from '../../views/questions/consentPanel.ts';
import { announceQuestion, windowFocus } from '../../views/questions/questionNotice.ts';
import { StatusItem } from '../../views/questions/statusItem.ts';
import { summarizeStatus } from '../../views/questions/statusSummary.ts';
import { type NoticedSurface, QuestionNotices, WaitingQuestions } from '../../views/questions/waitingQuestions.ts';
import { ReadOnlyDocuments } from '../../views/native/readOnlyDocuments.ts';
import { PromptPreviews } from '../../views/resources/promptPreviews.ts';
import type { ToolTasks } from '../../views/runner/toolTasks.ts';
import { definitionShower } from '../../views/servers/files/openDefinition.ts';
import { problemsOfNoServer, type RowNode } from '../../views/servers/serverNodes.ts';
import { ServersInNeed } from '../../views/servers/serversInNeed.ts';
import { ServersTree } from '../../views/servers/serversTree.ts';
import { trafficMask } from '../../traffic/trafficMask.ts';
import type { TrafficView } from '../../views/traffic/trafficView.ts';
import { joinToolRunner } from './toolRunnerJoin.ts';
import type { ViewsJoinOptions } from './viewsJoinOptions.ts';

export interface ViewsJoin extends Disposable {
  /** Shows people what clients do in the editor. */
  readonly acting: ActingViews;
  readonly parts: WindowParts;
}

/** What VS Code itself asks a window for. */
export interface WindowParts {
  readonly commands: CommandHandlers;
  readonly resources: () => Promise<FlatFiles>;
  readonly toolTasks: () => Promise<ToolTasks>;
}

type NoticedQuestions = NoticedSurface['questions'];

function joinQuestionNotices(panel: ConsentPanel, inPanel: OpenQuestions, chatView: Late<ChatView>, inChat: NoticedQuestions): Disposable {
  const surfaces: NoticedSurface[] = [
    { questions: inPanel, isVisible: () => panel.isVisible(), onDidChangeVisibility: panel.onDidChangeVisibility },
    {
      questions: inChat,
      isVisible: () => chatView.made?.isVisible() ?? false,
      onDidChangeVisibility: chatView.event((view) => view.onDidChangeVisibility),
    },
  ];
  return new QuestionNotices({ surfaces, ...windowFocus, notify: announceQuestion, clock: systemClock });
}

/** Registers the chat's view with VS Code; the chat itself is loaded when somebody looks. */
function joinChatView(
  { extensionUri, chat, lastTextEditor, reporter, log }: ViewsJoinOptions,
  shown: Pick<ChatViewOptions, 'showDefinition' | 'documents' | 'reviews'>,
  lifetime: DisposableStore,
): Late<ChatView> {
  const load = async (): Promise<ChatView> => {
    const [{ ChatView: LoadedView }, { places, undrawn, sidebarDraft }] = await Promise.all([
      import('../../views/chat/chatView.ts'),
      chat.get(),
    ]);
    return lifetime.add(new LoadedView({ places, undrawn, sidebarDraft, extensionUri, reporter, lastTextEditor, ...shown, log }));
  };
  const doorway = lifetime.add(new Doorway({ load, report: (error) => reporter.report(error) }));
  // The page is kept while hidden: an answer goes on streaming, and a draft or a half-edited argument is not lost.
  const options = { webviewOptions: { retainContextWhenHidden: true } };
  doorway.showIn(views.chat, (view, place) => view.resolveWebviewView(place), options);
  doorway.reopenTabs(tabTypes.conversation, (view, panel, stored) => view.reopenTab(panel, stored));
  return doorway;
}

function joinTrafficView(options: ViewsJoinOptions, lifetime: DisposableStore): void {
  const load = async (): Promise<TrafficView> => lifetime.add((await import('./trafficViewJoin.ts')).joinTrafficView(options));
  const doorway = lifetime.add(new Doorway({ load, report: (error) => options.reporter.report(error) }));
  doorway.showIn(views.traffic, (view, place) => view.resolveWebviewView(place));
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

/** The rows of the workspace's skills: none until they were looked for, which no window waits for. */
function lateSkillRows(onChange: () => void, report: (error: unknown) => void, lifetime: DisposableStore): () => readonly RowNode[] {
  let found: readonly RowNode[] = [];
  const onRows = (rows: readonly RowNode[]): void => {
    found = rows;
    onChange();
  };
  void import('./skillRowsJoin.ts').then(({ joinSkillRows }) => joinSkillRows(onRows, lifetime), report);
  return () => found;
}

/** Opens the view of servers for a server that needs the person, where they see the sidebar already. */
function joinServersInNeed({ host, reporter }: ViewsJoinOptions, tree: ServersTree, chatView: Late<ChatView>): Disposable {
  const lifetime = new DisposableStore();
  const need = new ServersInNeed();
  const look = (): void => {
    const server = need.look(host.registry.servers(), chatView.made?.isInSidebar === true);
    if (server !== undefined) {
      tree.unfold(server.id).catch((error: unknown) => reporter.report(error));
    }
  };
  lifetime.add(host.registry.onDidChange(look));
  lifetime.add(chatView.event((view) => view.onDidChangeVisibility)(look));
  return lifetime;
}

/** Joins what people see to the rooms behind it. */
export function joinViews(options: ViewsJoinOptions): ViewsJoin {
  const { extensionUri, host, server, chat, questions, reporter, log } = options;
  const report = (error: unknown): void => reporter.report(error);
  const lifetime = new DisposableStore();
  const serversChanged = lifetime.add(new Emitter<void>());
  lifetime.add(host.registry.onDidChange(() => serversChanged.fire()));
  lifetime.add(options.signIns.onDidChange(() => serversChanged.fire()));
  lifetime.add(host.offers.onDidChange(() => serversChanged.fire()));
  const reviews = lateReviews(options.ownCalls, report, lifetime);
  const inReview = { list: () => reviews.made?.list() ?? [], onDidChange: reviews.event((made) => made.onDidChange) };
  const waiting = lifetime.add(new WaitingQuestions({ panel: questions, review: inReview, chat: chat.questions }));
  lifetime.add(waiting.onDidChange(() => serversChanged.fire()));
  const skillRows = lateSkillRows(() => serversChanged.fire(), report, lifetime);
  const serversTree = lifetime.add(
    new ServersTree({
      servers: () => host.registry.servers(),
      problems: () => problemsOfNoServer(host.registry.problems(), host.registry.servers()),
      modelName: (id, tool) => host.registry.modelName(id, tool),
      rows: skillRows,
      isSignedIn: (id) => options.signIns.isSignedIn(id),
      offerOf: (each) => host.offers.stateOf(each),
      openQuestions: () => waiting.count,
      onDidChange: serversChanged.event,
    }),
  );
  lifetime.add(new ClientsTree(server));
  const documents = lifetime.add(new ReadOnlyDocuments());
  const showDefinition = definitionShower((id) => host.registry.definitionOf(id), reporter);
  const panel = lifetime.add(new ConsentPanel({ questions, showDefinition, extensionUri, reporter, log }));
  joinTrafficView(options, lifetime);
  const chatView = joinChatView(options, { showDefinition, documents, reviews: () => reviews.get() }, lifetime);
  lifetime.add(joinServersInNeed(options, serversTree, chatView));
  lifetime.add(ProblemActions.register());
  lifetime.add(joinQuestionNotices(panel, questions, chatView, chat.questions));
  const resources = new Late(async () => (await import('./resourcesJoin.ts')).joinResources(options, lifetime));
  const previews = lifetime.add(new PromptPreviews());
  const byHand = lifetime.add(joinToolRunner(options, { chatView, documents, resources }));
  lifetime.add(joinStatus(options, waiting, serversChanged.event));
  const acted = { ...options, previews, panel, reviews, waiting, serversTree, documents, byHand };
  const handlers = new Late(async () => {
    const joining = import('../commands/commands.ts');
    const [{ joinCommands }, loadedChat, loadedView, read] = await Promise.all([joining, chat.get(), chatView.get(), resources.get()]);
    return joinCommands({ ...acted, chat: loadedChat, chatView: loadedView, resources: read }, serversChanged.event, lifetime);
  });
  const toolTasks = async (): Promise<ToolTasks> =>
    (await import('./toolTasksJoin.ts')).joinToolTasks({ registry: host.registry, caller: host.caller, questions });
  const notices = createClientNotices((sentence) => reporter.relay(sentence));
  const parts = { commands: lateMethods(handlers, commands), resources: () => resources.get(), toolTasks };
  return { acting: { reviews: reviewPort(reviews, report), notices }, parts, dispose: () => lifetime.dispose() };
}

/** The log of the protocol messages of this window. */
export function createTrafficLog(secrets: KnownSecrets): TrafficLog {
  return new TrafficLog({
    clock: systemClock,
    mask: trafficMask((id) => secrets.of(id)),
    canRepeat: isRepeatable,
  });
}
