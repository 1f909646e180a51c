import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Clock, systemClock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import type { JsonObject } from '../base/json.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/late.ts';
import { PatientReader, type SharedText } from '../base/sharedStorage.ts';
import { role, type Role } from '../contract/questions/rolesAndClaims.ts';
import { isSameRule, storedRule, type CallRule } from './callRules.ts';
import { isElsewhere, isPrincipal, type RememberedAnswer, type AnswerScope, type ConsentRequest } from './consentModel.ts';

const storedAnswer = once(() =>
  z
    // What a newer version added is written back with the rest.
    .looseObject({
      id: z.string(),
      principal: z.custom<RememberedAnswer['principal']>(isPrincipal),
      action: z.enum([
        'startServer',
        'callTool',
        'connectClient',
        'seeRoots',
        'useModel',
        'askPerson',
        'clientAct',
        'ownAct',
        'seeWithheld',
        'useIssuer',
        'seeEditor',
        'sendContent',
        'showApp',
        'appAct',
      ]),
      subject: z.array(z.string()).min(1),
      answer: z.enum(['allow', 'deny', 'allowWhen']),
      rule: storedRule().optional(),
      scope: z.enum(['workspace', 'always']),
      workspace: z.string().optional(),
      fingerprint: z.string(),
      material: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
      since: z.string(),
      lastUsed: z.string().optional(),
      role: role().optional(),
      group: z.string().optional(),
    })
    // An allow whose rule is lost would allow everything.
    .refine(({ answer, rule }) => (answer === 'allowWhen') === (rule !== undefined)),
);
const ledgerFile = once(() => z.object({ version: z.literal(1), answers: z.array(z.unknown()) }));

/** The least time, in ms, between two notes that the same answer was used. */
const useStepMs = 600_000;
/** How long, in ms, to wait after a failure to read the file, or to write a revocation, before the next attempt: one that is not stored is undone by a restart. */
const retryMs = 5_000;

export interface LedgerOptions {
  readonly storage: SharedText;
  /** Identifies the workspace of this window; answers for other workspaces are stored but do not count here. */
  readonly workspace: string;
  readonly now: () => Date;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/** All remembered answers. Those for the session are only in memory; the others are in a file that all windows share. */
export class Ledger implements Disposable {
  readonly #options: LedgerOptions;
  readonly #clock: Clock;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #recovered = this.#lifetime.add(new Emitter<void>());
  readonly #reader: PatientReader;
  #session: RememberedAnswer[] = [];
  #stored: RememberedAnswer[] = [];
  /** The permissions that were revoked and stand in the file still, because it could not be written. */
  readonly #unwritten = new Set<string>();
  #again: Disposable | undefined;
  #readAgain: Disposable | undefined;
  #writes = 0;
  /** The reading that began last. */
  #reading: Promise<void> | undefined;
  #isUnreadable = false;
  #here:
    | {
        readonly stored: readonly RememberedAnswer[];
        readonly session: readonly RememberedAnswer[];
        readonly answers: readonly RememberedAnswer[];
      }
    | undefined;

  readonly onDidChange = this.#changed.event;
  /** Fires when the file can be read again after the permissions in it were forgotten. */
  readonly onDidRecover = this.#recovered.event;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#reader = this.#lifetime.add(new PatientReader(options.storage, this.#clock));
    this.#lifetime.add(options.storage.onDidChange(() => void this.load()));
  }

  /**
   * Reads the file; called once at start and on every change by another window. Never rejects: without a file nothing is allowed. Of
   * several readings the one that began last counts.
   */
  load(): Promise<void> {
    this.#readAgain?.dispose();
    const reading: Promise<void> = Promise.resolve().then(() => this.#read(() => this.#reading === reading));
    this.#reading = reading;
    return reading;
  }

  async #read(isLast: () => boolean): Promise<void> {
    const writes = this.#writes;
    try {
      const answers = await this.#parse(await this.#reader.read());
      if (!isLast()) {
        await this.#reading;
        return;
      }
      if (writes !== this.#writes) {
        await this.load(); // what was read is outdated: a revoked permission would hold again
        return;
      }
      const wasUnreadable = this.#isUnreadable;
      this.#isUnreadable = false;
      this.#know(answers);
      this.#changed.fire();
      if (wasUnreadable) {
        this.#recovered.fire();
      }
    } catch (error) {
      if (isLast() && !this.#lifetime.isDisposed) {
        this.#forgetUnreadable(error);
      }
    }
  }

  /** What is allowed could have been revoked in a file that cannot be read. What is refused stays refused. */
  #forgetUnreadable(error: unknown): void {
    if (!this.#isUnreadable) {
      this.#options.log.error('The remembered permissions could not be read; everything is asked again.', error);
    }
    this.#isUnreadable = true;
    const refusals = this.#stored.filter(({ answer }) => answer === 'deny');
    if (refusals.length < this.#stored.length) {
      this.#know(refusals);
      this.#changed.fire();
    }
    this.#readAgain = this.#clock.schedule(retryMs, () => void this.load());
  }

  /** The answers that hold in this window, oldest first. The list is the same object until an answer changes. */
  answers(): readonly RememberedAnswer[] {
    const [stored, session] = [this.#stored, this.#session];
    if (this.#here?.stored !== stored || this.#here.session !== session) {
      this.#here = { stored, session, answers: [...stored.filter((answer) => this.holdsHere(answer)), ...session] };
    }
    return this.#here.answers;
  }

  /** The answers of all workspaces, oldest first. */
  everywhere(): readonly RememberedAnswer[] {
    return [...this.#stored, ...this.#session];
  }

  holdsHere(answer: RememberedAnswer): boolean {
    return answer.scope !== 'workspace' || answer.workspace === this.#options.workspace;
  }

  /**
   * Notes that an answer was used. It is not written each time, because minutes do not matter to a person who looks for unused
   * permissions.
   */
  markUsed({ id, lastUsed }: RememberedAnswer): void {
    const now = this.#options.now();
    if (lastUsed !== undefined && now.getTime() - Date.parse(lastUsed) < useStepMs) {
      return;
    }
    const mark = (answer: RememberedAnswer): RememberedAnswer => (answer.id === id ? { ...answer, lastUsed: now.toISOString() } : answer);
    if (this.#session.some((answer) => answer.id === id)) {
      this.#session = this.#session.map(mark);
    } else {
      this.#stored = this.#stored.map(mark);
      this.#rewrite((answers) => answers.map(mark)).catch((error: unknown) => {
        this.#options.log.warn(`When a permission was last used could not be kept: ${messageOf(error)}`);
      });
    }
  }

  /** An allow is not kept where a refusal was stored meanwhile, maybe by another window: that holds until it is revoked. */
  async remember(request: ConsentRequest, answer: 'allow' | 'deny', scope: AnswerScope, givenRole?: Role): Promise<void> {
    const entry = this.#entry(request, answer, scope, givenRole === undefined ? {} : { role: givenRole });
    await this.#add(scope, (answers) => withEntries(answers, [entry]));
  }

  /**
   * Remembers an allow in the place of other answers, refusals too, because the person changed their mind about them. Those with the same
   * scope, or in the same file, end in the same step, and those of the session after it: where an allow cannot be stored, a refusal stands.
   */
  async allowInstead(replaced: readonly string[], request: ConsentRequest, scope: AnswerScope, givenRole: Role): Promise<void> {
    const entry = this.#entry(request, 'allow', scope, { role: givenRole });
    const others = (answers: readonly RememberedAnswer[]): readonly RememberedAnswer[] =>
      answers.filter(({ id }) => !replaced.includes(id));
    await this.#add(scope, (answers) => withEntries(others(answers), [entry]));
    replaced.forEach((id) => this.forget(id));
  }

  /** Remembers several allows that were given together: all or none, but for what was refused meanwhile. */
  async allowTogether(requests: readonly ConsentRequest[], scope: AnswerScope): Promise<void> {
    const group = randomUUID();
    const entries = requests.map((request) => this.#entry(request, 'allow', scope, { group }));
    await this.#add(scope, (answers) => withEntries(answers, entries));
  }

  /** Remembers an allow for the calls that a rule covers. Rules stand side by side, and beside an allow for all calls. */
  async allowWhen(request: ConsentRequest, rule: CallRule, scope: AnswerScope): Promise<void> {
    const entry = this.#entry(request, 'allowWhen', scope, { rule });
    await this.#add(scope, (answers) => withEntries(answers, [entry]));
  }

  /** Forgets an answer that holds for this session only. */
  forget(id: string): void {
    const kept = this.#session.filter((answer) => answer.id !== id);
    if (kept.length < this.#session.length) {
      this.#session = kept;
      this.#changed.fire();
    }
  }

  /**
   * Revokes answers. A permission ends in this window at once, even where the file cannot be written: it then rejects, and is tried again
   * after a while. A refusal ends when that is written.
   */
  async revoke(...ids: readonly string[]): Promise<void> {
    const isMeant = ({ id }: RememberedAnswer): boolean => ids.includes(id);
    const isStored = !ids.every((id) => this.#session.some((answer) => answer.id === id));
    this.#stored.filter((answer) => isMeant(answer) && answer.answer !== 'deny').forEach(({ id }) => this.#unwritten.add(id));
    this.#session = this.#session.filter((answer) => !isMeant(answer));
    this.#know(this.#stored);
    this.#changed.fire();
    if (isStored) {
      await this.#writeWithout(isMeant);
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#again?.dispose();
    this.#readAgain?.dispose();
    this.#lifetime.dispose();
  }

  async #writeWithout(isRevoked: (answer: RememberedAnswer) => boolean): Promise<void> {
    this.#again?.dispose();
    try {
      await this.#rewrite((answers) => answers.filter((answer) => !isRevoked(answer)));
    } catch (error) {
      if (!this.#lifetime.isDisposed && this.#unwritten.size > 0) {
        // What was not written is left out of every later writing.
        const again = (): void => void this.#writeWithout(() => false).catch(() => undefined);
        this.#again = this.#clock.schedule(retryMs, again);
      }
      throw error;
    }
  }

  #know(stored: readonly RememberedAnswer[]): void {
    this.#stored = stored.filter(({ id }) => !this.#unwritten.has(id));
  }

  #entry(
    request: ConsentRequest,
    answer: RememberedAnswer['answer'],
    scope: AnswerScope,
    more: Pick<RememberedAnswer, 'role' | 'group' | 'rule'>,
  ): RememberedAnswer {
    const { principal, action, subject, fingerprint, material } = request;
    return {
      id: randomUUID(),
      principal,
      action,
      subject,
      answer,
      scope,
      ...(scope === 'workspace' ? { workspace: this.#options.workspace } : {}),
      fingerprint,
      material,
      since: this.#options.now().toISOString(),
      ...more,
    };
  }

  async #add(scope: AnswerScope, change: (answers: readonly RememberedAnswer[]) => readonly RememberedAnswer[]): Promise<void> {
    if (scope === 'session') {
      this.#session = [...change(this.#session)];
    } else {
      await this.#rewrite(change);
    }
    this.#changed.fire();
  }

  async #rewrite(change: (answers: readonly RememberedAnswer[]) => readonly RememberedAnswer[]): Promise<void> {
    let kept: readonly RememberedAnswer[] = [];
    let revoked: readonly string[] = [];
    await this.#options.storage.modify((current) => {
      revoked = [...this.#unwritten];
      kept = change(readAnswers(current) ?? []).filter(({ id }) => !revoked.includes(id));
      return `${JSON.stringify({ version: 1, answers: [...unreadableEntries(current), ...kept] }, undefined, 2)}\n`;
    });
    this.#writes += 1;
    // Only what is written counts: a permission that could not be stored was not given.
    revoked.forEach((id) => this.#unwritten.delete(id));
    this.#know(kept);
    if (this.#isUnreadable) {
      void this.load(); // it could be read for that
    }
  }

  async #parse(text: string | undefined): Promise<RememberedAnswer[]> {
    const answers = readAnswers(text);
    if (answers === undefined && text !== undefined) {
      await this.#options.storage.setAside(text);
      this.#options.log.warn('The file of remembered permissions was damaged. It was put aside, and everything is asked again.');
    }
    return answers ?? [];
  }
}

/** Reads the answers in a file. A damaged entry is left out; a damaged file gives `undefined`. */
function readAnswers(text: string | undefined): RememberedAnswer[] | undefined {
  if (text === undefined || text.trim() === '') {
    return [];
  }
  try {
    return ledgerFile()
      .parse(JSON.parse(text))
      .answers.flatMap((raw) => {
        const entry = storedAnswer().safeParse(raw);
        return entry.success ? [entry.data] : [];
      });
  } catch {
    return undefined;
  }
}

/** The entries that cannot be read, such as those of a newer version. They are written back, because one may be a refusal. */
function unreadableEntries(text: string | undefined): unknown[] {
  try {
    return ledgerFile()
      .parse(JSON.parse(text ?? ''))
      .answers.filter((raw) => !storedAnswer().safeParse(raw).success);
  } catch {
    return [];
  }
}

/** Puts newer answers in the place of older ones. What was refused stays refused, whatever is allowed. */
function withEntries(answers: readonly RememberedAnswer[], entries: readonly RememberedAnswer[]): readonly RememberedAnswer[] {
  const isRefused = (entry: RememberedAnswer): boolean =>
    entry.answer !== 'deny' && answers.some((old) => old.answer === 'deny' && replaces(entry, old));
  const added = entries.filter((entry) => !isRefused(entry));
  return [...answers.filter((old) => !added.some((entry) => replaces(entry, old))), ...added];
}

/** Whether a newer answer replaces an older one: both have the same subject, action, scope and rule. A refusal is one for every folder. */
function replaces(entry: RememberedAnswer, old: RememberedAnswer): boolean {
  return (
    (entry.answer === 'deny' || old.answer === 'deny' || !isElsewhere(old, entry)) &&
    old.principal === entry.principal &&
    old.action === entry.action &&
    old.scope === entry.scope &&
    old.workspace === entry.workspace &&
    isSameRule(old.rule, entry.rule) &&
    old.subject.length === entry.subject.length &&
    old.subject.every((step, index) => step === entry.subject[index])
  );
}
