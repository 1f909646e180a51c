import { untilAborted } from '../../base/abort.ts';
import { isAbort } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import { contentDifferences, contentQuestion, rememberable } from './contentQuestion.ts';
import { prepareContent } from './preparedContent.ts';
import type { InstructedTurn } from './projectInstructions.ts';
import { digestsOf, fileDifferences, type OfferedSkill, type SkillFile } from './skills.ts';

/** A folder of the workspace with a `SKILL.md`, which is the first of its files. */
export interface SkillFolder {
  /** The path of the folder from the workspace's folder, as people know it. */
  readonly path: string;
  /** Tells this folder from one with the same path elsewhere. */
  readonly uri: string;
  /** The last part of the path. */
  readonly name: string;
  readonly files: readonly SkillFile[];
}

/** The port that reads such folders. */
export interface SkillFolders {
  /** Whether the person trusts the workspace; otherwise nothing is read. */
  isTrusted(): boolean;
  /** Reads the folders: not many, and none of them large. One that cannot be read whole is left out. */
  read(): Promise<readonly SkillFolder[]>;
}

export interface WorkspaceSkillsOptions {
  readonly folders: SkillFolders;
  /** Tells this workspace from others: a refusal for good is for this one. */
  readonly workspace: string;
  readonly log: Log;
}

/**
 * The skills of the workspace. Whoever wrote the repository wrote them, so a model is told of them only after one question for all of
 * them, which is asked again when one byte of their files changes. Before a model gets the text of one it is asked about that.
 */
export class WorkspaceSkills {
  readonly #options: WorkspaceSkillsOptions;
  readonly #given = new WeakMap<object, readonly OfferedSkill[]>();
  /** The fingerprint of what was refused in this session. */
  #refused: string | undefined;

  constructor(options: WorkspaceSkillsOptions) {
    this.#options = options;
  }

  /** The skills that the model may be told of in this turn, or in the last one. */
  given(conversation: object): readonly OfferedSkill[] {
    return this.#given.get(conversation) ?? [];
  }

  /** Asks before the first request of a turn. Rejects only when `signal` fires; then no skill is offered. */
  async prepare(turn: InstructedTurn): Promise<void> {
    this.#given.delete(turn.conversation); // what was allowed before was allowed for that turn
    if (turn.to.kind !== 'model' || !this.#options.folders.isTrusted()) {
      return;
    }
    try {
      const skills = await untilAborted(this.#read(), turn.signal);
      if (skills.length > 0 && (await this.#check(skills, turn))) {
        this.#given.set(turn.conversation, skills);
      }
    } catch (error) {
      if (turn.signal.aborted || isAbort(error)) {
        throw error;
      }
      this.#options.log.error('The skills of the workspace could not be asked about, and are not offered.', error);
    }
  }

  async #read(): Promise<readonly OfferedSkill[]> {
    const folders = await this.#options.folders.read();
    const skills = await Promise.all(folders.map((folder) => this.#toSkill(folder)));
    return skills.filter((skill) => skill !== undefined);
  }

  async #toSkill({ path, uri, name, files }: SkillFolder): Promise<OfferedSkill | undefined> {
    const [first] = files;
    const text = first !== undefined && 'text' in first.content ? first.content.text : '';
    const { readSkillHead } = await import('./skillHead.ts');
    const read = readSkillHead(text, name);
    if (read.kind === 'refused') {
      this.#options.log.warn(`The skill in ${revealInvisible(path)} is not offered: ${read.reason}.`);
      return undefined;
    }
    return { serverId: undefined, server: '', uri, place: path, ...read.head, digests: digestsOf(files), files };
  }

  async #check(skills: readonly OfferedSkill[], { content, to, ask, signal }: InstructedTurn): Promise<boolean> {
    const request = offerRequest(this.#options.workspace, skills, to);
    if (content.gate.verdict(request).kind === 'ask' && this.#refused === request.fingerprint) {
      return false;
    }
    const prepared = await prepareContent(
      skills.map(({ place = '', description }) => ({ kind: 'text', name: place, text: description })),
      content.secretsIn,
    );
    const decision = await content.gate.check({
      request,
      detail: contentQuestion('', { kind: 'workspaceSkills', name: String(skills.length) }, to, prepared),
      differencesFrom: (previous) => [
        ...contentDifferences(previous, request.material),
        ...fileDifferences(
          previous['files'],
          request.material['files'],
          () => undefined,
          () => undefined,
        ),
      ],
      choices: rememberable,
      ask,
      signal,
    });
    this.#refused = decision.kind === 'denied' ? request.fingerprint : undefined;
    return decision.kind !== 'denied';
  }
}

/** The permission for all skills of the workspace: for these files, and for where their names and descriptions go. */
function offerRequest(workspace: string, skills: readonly OfferedSkill[], to: ContentDestination): ConsentRequest {
  const files = skills.flatMap(({ place = '', digests = {} }) =>
    Object.entries(digests).map(([path, digest]) => [`${place}/${path}`, digest]),
  );
  const material: JsonObject = {
    server: '',
    destination: to.kind === 'guide' ? '' : to.address,
    files: Object.fromEntries(files) as JsonObject,
  };
  return { principal: 'chat', action: 'sendContent', subject: ['skills', workspace], fingerprint: fingerprintOf(material), material };
}
