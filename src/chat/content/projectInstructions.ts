import { untilAborted } from '../../base/abort.ts';
import { isAbort } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { secretMark } from '../../secrets/secretMarks.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { ShownInstructions } from '../../contract/chat/contextBudget.ts';
import type { Difference } from '../../contract/questions/questions.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { GivenInstructions } from './systemPrompt.ts';
import type { ChatContent } from './hostPorts.ts';
import { contentDifferences, contentQuestion, rememberable } from './contentQuestion.ts';
import { prepareContent, type PreparedContent } from './preparedContent.ts';

/** A file of the workspace that says how work is to be done there (such as AGENTS.md), with its present text. */
export interface InstructionFile {
  /** The path from the workspace's folder, as people know it. */
  readonly path: string;
  /** Tells this file from one with the same path elsewhere. */
  readonly uri: string;
  readonly text: string;
  /** The size of the whole file, when `text` is only its beginning. */
  readonly totalBytes?: number | undefined;
}

/** The port that reads such files. */
export interface InstructionFiles {
  /** Whether the person trusts the workspace; otherwise no file is read. */
  isTrusted(): boolean;
  /** Reads the files: a few, none of them long. A file that cannot be read is left out. */
  read(): Promise<readonly InstructionFile[]>;
}

/** Remembers the texts that the person allowed last, without secrets, to show what has changed since. */
export interface AllowedTexts {
  get(uri: string): string | undefined;
  set(uri: string, text: string): void;
}

export interface ProjectInstructionsOptions {
  readonly files: InstructionFiles;
  readonly allowed: AllowedTexts;
  readonly log: Log;
}

/** The turn whose requests the instructions would go with. */
export interface InstructedTurn {
  /** The conversation that the instructions are given to; several may be answered at the same time, by different models. */
  readonly conversation: object;
  readonly content: Pick<ChatContent, 'gate' | 'secretsIn'>;
  readonly to: ContentDestination;
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

interface PreparedFile {
  readonly file: InstructionFile;
  readonly prepared: PreparedContent;
  /** The text that the person is shown, with a mark in place of each secret. */
  readonly text: string;
  readonly textHash: string;
}

/**
 * Lets the project's own instructions go to a model. Whoever wrote the repository wrote them, so each text goes only after the person
 * has seen and allowed it, and a changed text is asked about again, with the difference.
 */
export class ProjectInstructions implements Disposable {
  readonly #options: ProjectInstructionsOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  /** The hash of the text that was refused in this session, by file. */
  readonly #refused = new Map<string, string>();
  readonly #given = new WeakMap<object, readonly GivenInstructions[]>();
  #shown: readonly ShownInstructions[] = [];

  constructor(options: ProjectInstructionsOptions) {
    this.#options = options;
  }

  /** The instructions that go with the requests of the running turn, or went with those of the last one. */
  given(conversation: object): readonly GivenInstructions[] {
    return this.#given.get(conversation) ?? [];
  }

  shown(): readonly ShownInstructions[] {
    return this.#shown;
  }

  /** Finds the files before anything is sent, so that the view can say that each is asked about first. */
  async look(): Promise<void> {
    const files = this.#options.files.isTrusted() ? await this.#options.files.read() : [];
    if (this.#shown.length === 0 && files.length > 0) {
      this.#shown = files.map(({ path }) => ({ kind: 'project', path, isSent: false, isAskedFirst: true }));
      this.#changed.fire();
    }
  }

  /** Asks about each file before the first request of a turn. Rejects only when `signal` fires; then no instructions are given. */
  async prepare(turn: InstructedTurn): Promise<void> {
    const given: GivenInstructions[] = [];
    const shown: ShownInstructions[] = [];
    this.#given.delete(turn.conversation); // what was allowed before was allowed for that turn
    if (turn.to.kind === 'model' && this.#options.files.isTrusted()) {
      for (const file of await untilAborted(this.#options.files.read(), turn.signal)) {
        const text = await this.#letIn(file, turn);
        given.push(...(text === undefined ? [] : [{ kind: 'project', name: revealInvisible(file.path), text } as const]));
        shown.push({ kind: 'project', path: file.path, isSent: text !== undefined });
      }
    }
    this.#given.set(turn.conversation, given);
    this.#shown = shown;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #letIn(file: InstructionFile, turn: InstructedTurn): Promise<string | undefined> {
    try {
      return await this.#check(await prepareFile(file, turn.content.secretsIn), turn);
    } catch (error) {
      if (turn.signal.aborted || isAbort(error)) {
        throw error;
      }
      this.#options.log.error('Instructions of the project could not be asked about, and are not sent.', error);
      return undefined;
    }
  }

  async #check(made: PreparedFile, { content, to, ask, signal }: InstructedTurn): Promise<string | undefined> {
    const { file, prepared, text, textHash } = made;
    const request = instructionsRequest(file, textHash, to);
    const isOpen = content.gate.verdict(request).kind === 'ask';
    if (text.trim() === '' || (isOpen && this.#refused.get(file.uri) === textHash)) {
      return undefined;
    }
    const decision = await content.gate.check({
      request,
      detail: contentQuestion('', { kind: 'instructions', name: revealInvisible(file.path) }, to, prepared),
      differencesFrom: (previous) => [
        ...contentDifferences(previous, request.material),
        ...(previous['text'] === textHash ? [] : [textDifference(this.#options.allowed.get(file.uri), text)]),
      ],
      choices: rememberable,
      ask,
      signal,
    });
    if (decision.kind === 'denied') {
      this.#refused.set(file.uri, textHash);
      return undefined;
    }
    this.#refused.delete(file.uri);
    if (decision.by === 'ledger') {
      return sentText(made, []);
    }
    this.#options.allowed.set(file.uri, text);
    return sentText(made, decision.answer.keptSecrets ?? []);
  }
}

async function prepareFile(file: InstructionFile, secretsIn: ChatContent['secretsIn']): Promise<PreparedFile> {
  const read = await prepareContent([{ kind: 'text', name: file.path, text: file.text }], secretsIn);
  const leftBytes = file.totalBytes === undefined ? 0 : file.totalBytes - Buffer.byteLength(file.text);
  const prepared = { ...read, totalBytes: leftBytes > 0 ? (read.totalBytes ?? read.bytes) + leftBytes : read.totalBytes };
  const text = textOf(prepared, []);
  return { file, prepared, text, textHash: fingerprintOf({ text }) };
}

/** The permission for one file. It is bound to the file's place, to its text without secrets, and to where it goes. */
function instructionsRequest(file: InstructionFile, textHash: string, to: ContentDestination): ConsentRequest {
  const material: JsonObject = { destination: to.kind === 'guide' ? '' : to.address, text: textHash };
  return {
    principal: 'chat',
    action: 'sendContent',
    subject: ['instructions', file.uri, file.path],
    fingerprint: fingerprintOf(material),
    material,
  };
}

function textOf({ items, secrets }: PreparedContent, kept: readonly number[]): string {
  const pieces = items.flatMap((item) => (item.kind === 'text' ? item.pieces : []));
  const secret = (number: number): string => (kept.includes(number) ? (secrets[number - 1]?.value ?? secretMark) : secretMark);
  return pieces.map((piece) => (typeof piece === 'string' ? piece : secret(piece))).join('');
}

/** The text of a file as the model gets it. */
function sentText({ prepared }: PreparedFile, kept: readonly number[]): string {
  const { bytes, totalBytes } = prepared;
  const cut = totalBytes === undefined ? '' : `\n[Cut by the chat: the first ${bytes} of ${totalBytes} bytes are here.]`;
  return `${textOf(prepared, kept)}${cut}`;
}

/** The most characters of the changed lines that are shown, of those before and of those after the change. */
const maxDifference = 8_000;

/** The lines that differ between two texts, without the equal ones before and after them. */
export function textDifference(before: string | undefined, after: string): Difference {
  if (before === undefined) {
    return { field: 'text' };
  }
  const [old, now] = [before.split('\n'), after.split('\n')];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  const part = (lines: readonly string[]): string => {
    const text = revealInvisible(lines.slice(start, lines.length - end).join('\n'));
    return text.length > maxDifference ? `${text.slice(0, maxDifference)}…` : text;
  };
  return { field: 'text', before: part(old), after: part(now) };
}
