import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { chatSentencesInEnglish } from '../../../../src/chat/conversation/chatSentences.ts';
import { ChatApps } from '../../../../src/chat/apps/chatApps.ts';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { MadeEdit } from '../../../../src/contract/chat/answerParts.ts';
import { TurnEdits } from '../../../../src/chat/turn/turnEdits.ts';
import { KeptResultFiles, keptResultsBeside, keptResultsFolder } from '../../../../src/editor/storage/keptResultFiles.ts';
import type { ChatSession } from '../../../../src/chat/turn/chatSession.ts';
import type { ChatPlace, PlacePorts } from '../../../../src/chat/places/chatPlaces.ts';
import { ConversationKeeper, type StoreNotice } from '../../../../src/chat/store/conversationKeeper.ts';
import { ConversationShelf } from '../../../../src/chat/store/conversationShelf.ts';
import { storeLimits, type StoreLimits } from '../../../../src/chat/store/storeLimits.ts';
import { SharedFolderOnDisk } from '../../../../src/platform/files/sharedFolderOnDisk.ts';
import type { ModelProvider } from '../../../../src/chat/models/modelProvider.ts';
import { FakeTools, makeChat, makeTool, echoCall, type TestChat } from '../support.ts';

const workspace = 'workspace';

/** A window on one workspace: a chat, and the files it shares with the others. */
export interface TestWindow extends TestChat {
  readonly session: ChatSession;
  readonly keeper: ConversationKeeper;
  readonly shelf: ConversationShelf;
  readonly notices: StoreNotice[];
  readonly last: { id?: string };
  readonly titles: () => Promise<readonly string[]>;
  readonly edits: TurnEdits;
  readonly undone: readonly MadeEdit[];
}

/** A window with several chats, and the files they share. */
export interface TestChats {
  readonly files: SharedFolderOnDisk;
  make(ports: Pick<PlacePorts, 'last' | 'elsewhere'>): Omit<ChatPlace, 'context'>;
}

/** The folder of all windows of one test, which is gone with it. */
export class TestStorage {
  readonly root: string;
  readonly #windows: { dispose(): void }[] = [];

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<TestStorage> {
    return new TestStorage(await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-conversations-')));
  }

  get folder(): string {
    return path.join(this.root, 'conversations', workspace);
  }

  async chats(provider: ModelProvider): Promise<TestChats> {
    const files = await SharedFolderOnDisk.open(path.join(this.root, 'conversations'), workspace, silentLog);
    this.#windows.push(files);
    const shelf = new ConversationShelf(files, workspace, storeLimits, systemClock);
    return {
      files,
      make: (ports) => {
        const common = { shelf, limits: storeLimits, clock: systemClock, tell: () => undefined, log: silentLog };
        const keeper = new ConversationKeeper({ ...common, ...ports });
        const chat = this.#chat(provider, keeper);
        const port = { resultOf: () => undefined, open: async () => ({ kind: 'failed', sentence: 'There are no apps here.' }) as const };
        const apps = new ChatApps({
          session: chat.session,
          attach: async () => undefined,
          port,
          tabs: { openTab: () => Promise.reject(new Error('There are no tabs here.')) },
          sentences: chatSentencesInEnglish,
          report: () => undefined,
          clock: systemClock,
        });
        this.#windows.push(apps);
        return { ...chat, keeper, apps };
      },
    };
  }

  /** What this window would take back in files is written down. */
  #edits(undone: MadeEdit[]): TurnEdits {
    const kept = new KeptResultFiles(path.join(keptResultsFolder(this.root), workspace), silentLog);
    return new TurnEdits({
      kept,
      undo: (edits) => {
        undone.push(...edits);
        return Promise.resolve(edits.map(() => 'undone'));
      },
    });
  }

  #chat(provider: ModelProvider, keeper: ConversationKeeper, edits?: TurnEdits): TestChat {
    const chat = makeChat(provider, new FakeTools([makeTool('demo', 'echo')], echoCall), {
      createId: () => crypto.randomUUID(),
      claim: (conversation) => keeper.claim(conversation),
      heading: (conversation) => keeper.heading(conversation),
      ...(edits && { edits }),
    });
    keeper.attach(chat.session);
    const dispose = (): void => {
      chat.dispose();
      keeper.dispose();
    };
    return { ...chat, dispose };
  }

  async window(
    provider: ModelProvider,
    limits: Partial<StoreLimits> = {},
    last: { id?: string } = {},
    clock: Clock = systemClock,
  ): Promise<TestWindow> {
    const files = await SharedFolderOnDisk.open(path.join(this.root, 'conversations'), workspace, silentLog);
    const all = { ...storeLimits, ...limits };
    const shelf = new ConversationShelf(files, workspace, all, clock, keptResultsBeside(this.root, silentLog));
    const notices: StoreNotice[] = [];
    const keeper = new ConversationKeeper({
      shelf,
      limits: all,
      clock,
      last: { get: () => last.id, set: (id) => (last.id = id) },
      tell: (notice) => notices.push(notice),
      log: silentLog,
    });
    const undone: MadeEdit[] = [];
    const edits = this.#edits(undone);
    const chat = this.#chat(provider, keeper, edits);
    const dispose = (): void => {
      chat.dispose();
      files.dispose();
    };
    this.#windows.push({ dispose });
    const titles = async (): Promise<readonly string[]> => (await keeper.list('', () => true)).entries.map(({ title }) => title);
    return { ...chat, dispose, keeper, shelf, notices, last, titles, edits, undone };
  }

  async dispose(): Promise<void> {
    this.#windows.forEach((window) => window.dispose());
    await fs.rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const maxWaitMs = 15_000;

/** Looks until it is so. */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new Error(`Not within ${maxWaitMs} ms: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
