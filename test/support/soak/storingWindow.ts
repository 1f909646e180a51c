/**
 * A window in a process of its own: `storingWindow.ts FOLDER NAME NUMBER` serves, and writes to every store all the time, until it is
 * killed or its input ends. Every line on its output is a `WindowLine`.
 */
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { ConversationShelf } from '../../../src/chat/store/conversationShelf.ts';
import { storeLimits } from '../../../src/chat/store/storeLimits.ts';
import { AuditLog } from '../../../src/consent/audit/auditLog.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import { RotatingLines } from '../../../src/platform/files/rotatingLines.ts';
import { SharedFile } from '../../../src/platform/files/sharedFile.ts';
import { SharedFolderOnDisk } from '../../../src/platform/files/sharedFolderOnDisk.ts';
import { runServer } from '../../unit/server/support/runningServer.ts';
import { SleepyClock } from './clocks.ts';
import { auditKey, auditLimits, type Store, type WindowLine } from './storage.ts';

const [folder = '', name = '', first = ''] = process.argv.slice(2);
const night = 9 * 3_600_000;
const tell = (line: WindowLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const shared = await SharedFile.open(path.join(folder, 'permissions.json'), silentLog);
const ledger = new Ledger({ storage: shared, workspace: 'w', now: () => new Date(), log: silentLog });
await ledger.load();
const lines = new RotatingLines(path.join(folder, 'audit.jsonl'), auditLimits);
const audit = new AuditLog({ storage: lines, key: () => auditKey, clock: systemClock, onFailure: () => undefined });
const files = await SharedFolderOnDisk.open(path.join(folder, 'conversations'), 'w', silentLog);
const shelf = new ConversationShelf(files, 'w', storeLimits, systemClock);
const clock = new SleepyClock();
const running = await runServer({ duplexHome: path.join(folder, 'home'), clock });

/** What each store has of this window: the number that was written last. */
async function found(): Promise<Readonly<Record<Store, number>>> {
  const remembered = ledger.everywhere().find(({ subject }) => subject.at(-1) === name);
  const conversation = await shelf.load(name);
  return { ledger: Number(remembered?.fingerprint ?? 0), conversation: Number(conversation?.saved.title ?? 0), audit: 0 };
}

const writers: Readonly<Record<Store, (number: number) => Promise<unknown>>> = {
  ledger: (number) =>
    ledger.remember(
      { principal: 'chat', action: 'callTool', subject: ['server', name], fingerprint: `${number}`, material: {} },
      'deny',
      'always',
    ),
  audit: (number) =>
    audit.write({
      principal: 'chat',
      peer: name,
      action: 'callTool',
      subject: `${number}`,
      decidedBy: 'remembered',
      outcome: 'allowed',
    }),
  conversation: (number) => shelf.write({ version: 1, id: name, title: `${number}`, items: [], turns: [], sides: [], queue: [] }, number),
};

async function write(store: Store, number: number): Promise<void> {
  try {
    await writers[store](number);
    tell({ store, number });
  } catch (error) {
    tell({ store, refused: error instanceof Error ? error.message : String(error) });
  }
}

const { state } = running.server;
if (state.kind === 'listening') {
  tell({ urls: state.urls, token: running.token, found: await found() });
}
const hold = await shelf.hold(name);
const ending = new AbortController();
void once(process.stdin.resume(), 'end').then(() => ending.abort());
process.on('SIGCONT', () => {
  clock.sleep(night);
  const left = running.server.clients.snapshot().filter(({ transport, isStateless }) => transport === 'http' && !isStateless);
  tell({ woke: true, sessions: left.length });
});
for (let number = Number(first); !ending.signal.aborted; number += 1) {
  await Promise.all([write('ledger', number), write('audit', number), write('conversation', number)]);
}
await hold?.release();
await lines.close();
[ledger, shared, audit, files].forEach((each) => each.dispose());
await running.close();
