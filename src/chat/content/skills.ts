// Skills: instructions in files, by a server or by the workspace. The model is told their names and descriptions, and loads one when it
// needs it. This file says what the chat needs to know of a skill, and asks about one.
import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { fingerprintOf } from '../../consent/fingerprint.ts';
import type { Difference } from '../../contract/questions/questions.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import { secretMark } from '../../secrets/secretMarks.ts';
import { contentDifferences, contentQuestion, rememberable } from './contentQuestion.ts';
import type { ChatContent, ExplainedFailure, ReadDecider } from './hostPorts.ts';
import { prepareContent, type PreparedContent, shortText } from './preparedContent.ts';
import { type AllowedTexts, textDifference } from './projectInstructions.ts';

/** One file of a skill. Its digest is of the very bytes that were read. */
export interface SkillFile {
  /** The path within the skill. */
  readonly path: string;
  readonly digest: string;
  readonly bytes: number;
  /** The text, or the Base64 of a file that is no text: of such a file the model is told only that it is there. */
  readonly content: { readonly text: string } | { readonly data: string };
}

/** The digest of each file, by its path. */
export type Digests = Readonly<Record<string, string>>;

/** A skill in its author's words. */
export interface OfferedSkill {
  /** The server that serves it; undefined for one of the workspace. */
  readonly serverId: string | undefined;
  /** The name of the server as people know it; empty for a skill of the workspace. */
  readonly server: string;
  /** The address of its first file. With the server it tells the skill from all others. */
  readonly uri: string;
  /** Where it is, for people, if not by its address: a path in the workspace. */
  readonly place?: string;
  readonly name: string;
  readonly description: string;
  /** The digests of the files; undefined where the server does not say what the files are. */
  readonly digests: Digests | undefined;
  /** The files of a skill of the workspace, as they were read when the turn began. */
  readonly files?: readonly SkillFile[];
}

export type SkillReading =
  | { readonly kind: 'given'; readonly files: readonly SkillFile[] }
  | ({ readonly kind: 'failed' } & ExplainedFailure);

/** What the chat needs of the host to offer skills of servers. */
export interface ServerSkills {
  /** The skills of running servers. */
  list(): readonly OfferedSkill[];
  /** Reads all files of a skill; never rejects, except when `signal` fires. */
  read(skill: OfferedSkill & { readonly serverId: string }, decidedBy: ReadDecider, signal: AbortSignal, ask: Ask): Promise<SkillReading>;
}

export function digestsOf(files: readonly SkillFile[]): Digests {
  return Object.fromEntries(files.map(({ path, digest }) => [path, digest]));
}

/**
 * The permission for one skill: for exactly these files of this server, as it was approved, and for where they go. A skill of the same
 * address at another server is another skill.
 */
export function skillRequest(
  { serverId, uri, name }: OfferedSkill,
  digests: Digests,
  { identityOf }: Pick<ChatContent, 'identityOf'>,
  destination: ContentDestination,
): ConsentRequest {
  const material: JsonObject = {
    server: serverId === undefined ? '' : identityOf(serverId),
    destination: destination.kind === 'guide' ? '' : destination.address,
    files: digests,
  };
  const subject = serverId === undefined ? ['skill', uri, name] : ['server', serverId, 'skill', uri];
  return { principal: 'chat', action: 'sendContent', subject, fingerprint: fingerprintOf(material), material };
}

export interface SkillAsking {
  readonly content: Pick<ChatContent, 'gate' | 'secretsIn' | 'identityOf'>;
  readonly allowed: AllowedTexts;
  readonly to: ContentDestination;
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

export type SkillDecision =
  /** `texts` are those of the files, in their order, as the model gets them. */
  | { readonly kind: 'given'; readonly fingerprint: string; readonly texts: readonly (string | undefined)[] }
  | { readonly kind: 'denied'; readonly byStoredAnswer: boolean }
  /** There is more of it than can be shown. */
  | { readonly kind: 'tooLarge' };

/** Asks about a skill with all its files. What was allowed before is asked about again when one byte of a file changed, with the difference. */
export async function askForSkill(skill: OfferedSkill, files: readonly SkillFile[], asking: SkillAsking): Promise<SkillDecision> {
  const { content, allowed, to, ask, signal } = asking;
  const prepared = await prepareContent(files.map(toContent), content.secretsIn);
  if (prepared.totalBytes !== undefined || prepared.totalParts !== undefined) {
    return { kind: 'tooLarge' };
  }
  const request = skillRequest(skill, digestsOf(files), content, to);
  const shown = textsOf(prepared, []);
  const keyOf = (path: string): string => `${request.subject.join(' ')} ${path}`;
  const place = await shortText(skill.place ?? skill.uri, content.secretsIn);
  const decision = await content.gate.check({
    request,
    detail: contentQuestion(revealInvisible(skill.server), { kind: 'skill', name: revealInvisible(skill.name), place }, to, prepared),
    differencesFrom: (previous) => [
      ...contentDifferences(previous, request.material),
      ...fileDifferences(
        previous['files'],
        request.material['files'],
        (path) => allowed.get(keyOf(path)),
        (path) => shown[files.findIndex((file) => file.path === path)],
      ),
    ],
    choices: rememberable,
    ask,
    signal,
  });
  if (decision.kind === 'denied') {
    return { kind: 'denied', byStoredAnswer: decision.by === 'ledger' };
  }
  if (decision.by === 'person') {
    files.forEach(({ path }, index) => shown[index] !== undefined && allowed.set(keyOf(path), shown[index]));
  }
  const kept = decision.by === 'person' ? (decision.answer.keptSecrets ?? []) : [];
  return { kind: 'given', fingerprint: request.fingerprint, texts: textsOf(prepared, kept) };
}

function toContent({ path, content }: SkillFile): Parameters<typeof prepareContent>[0][number] {
  return 'text' in content
    ? { kind: 'text', name: path, text: content.text }
    : { kind: 'blob', name: path, mimeType: 'application/octet-stream', data: content.data };
}

/** The text of each item; undefined for one that is no text. */
function textsOf({ items, secrets }: PreparedContent, kept: readonly number[]): (string | undefined)[] {
  const secret = (number: number): string => (kept.includes(number) ? (secrets[number - 1]?.value ?? secretMark) : secretMark);
  return items.map((item) =>
    item.kind === 'text' ? item.pieces.map((piece) => (typeof piece === 'string' ? piece : secret(piece))).join('') : undefined,
  );
}

const shownDigits = 'sha256:'.length + 12;
/** The most changed files of a skill that a question shows. */
const maxDifferences = 20;

/** What differs between two sets of files: the lines, where the earlier text is known, and else the digests. */
export function fileDifferences(
  previous: unknown,
  now: unknown,
  textBefore: (path: string) => string | undefined,
  textNow: (path: string) => string | undefined,
): Difference[] {
  const [before, after] = [digestTable(previous), digestTable(now)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  return paths.slice(0, maxDifferences).map((path) => {
    const [old, fresh] = [before.has(path) ? textBefore(path) : undefined, after.has(path) ? textNow(path) : undefined];
    if (old !== undefined && fresh !== undefined) {
      return { ...textDifference(old, fresh), field: revealInvisible(path) };
    }
    const [gone, come] = [before.get(path)?.slice(0, shownDigits), after.get(path)?.slice(0, shownDigits)];
    return {
      field: revealInvisible(path),
      ...(gone !== undefined && { before: gone }),
      ...(come !== undefined && { after: come }),
    };
  });
}

function digestTable(files: unknown): ReadonlyMap<string, string> {
  const entries = typeof files === 'object' && files !== null ? Object.entries(files) : [];
  return new Map(entries.flatMap(([path, digest]): [string, string][] => (typeof digest === 'string' ? [[path, digest]] : [])));
}
