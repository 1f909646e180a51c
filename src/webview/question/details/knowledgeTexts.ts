import { unreachable } from '../../../base/errors.ts';
import type { CallKnowledge, CallPlace, CarriedText } from '../../../contract/questions/callKnowledge.ts';
import type { CallToolQuestion } from '../../../contract/questions/toolQuestions.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import { claimsLine } from './questionTexts.ts';

/** One short line about what Duplex itself knows; `isWarning` marks a reason to look twice. */
export interface KnownLine {
  readonly text: string;
  readonly isWarning: boolean;
  /** The part of the arguments that the line is about. */
  readonly quote?: string | undefined;
}

/** All that is to be said about a call, and the worst of it in a few words. */
export interface Known {
  readonly lines: readonly KnownLine[];
  readonly worst: Pick<KnownLine, 'text' | 'isWarning'>;
  /** Whether something was found that must be seen before the call is allowed. */
  readonly isFinding: boolean;
}

/** What is known about a call. `standing` are the sentences that are true of every call like it. */
export function knownOfCall(
  detail: CallToolQuestion,
  standing: readonly string[],
  change: string | undefined,
  areArgumentsChanged: boolean,
): Known {
  const all = [...standing.map((text) => ({ text, isWarning: false })), ...knownLines(detail, change, areArgumentsChanged)];
  const carried = worstCarried(detail.knows, detail.server);
  const unusual = carried ?? (change === undefined ? undefined : t('changed since you last allowed it'));
  const worst = unusual ?? effectWords(detail) ?? comparedWords(detail.knows);
  return { lines: worstFirst(all), worst: { text: worst, isWarning: unusual !== undefined }, isFinding: carried !== undefined };
}

/** What is known about an act of the editor's own server. */
export function knownOfAct(knows: CallKnowledge | undefined): Known {
  const carried = worstCarried(knows, 'editor');
  const worst = { text: carried ?? comparedWords(knows), isWarning: carried !== undefined };
  return { lines: carriedLines(knows), worst, isFinding: carried !== undefined };
}

function worstFirst(lines: readonly KnownLine[]): readonly KnownLine[] {
  return [...lines.filter(({ isWarning }) => isWarning), ...lines.filter(({ isWarning }) => !isWarning)];
}

function worstCarried(knows: CallKnowledge | undefined, server: string): string | undefined {
  const carried = knows?.carried ?? [];
  if (carried.length === 0) {
    return undefined;
  }
  if (carried.some(({ source }) => source.kind === 'withheldFile')) {
    return t('carries text from a file that may hold secrets');
  }
  return carried.some((each) => each.server !== server)
    ? t('carries text from another server')
    : t('carries text from an earlier result of this server');
}

/** The worst that the call does, as far as Duplex knows it; after that, what the server claims of itself. */
function effectWords({ risk, claims, knows }: CallToolQuestion): string | undefined {
  const effects: readonly (readonly [boolean, string])[] = [
    [risk === 'runsCode', t('runs code on this machine')],
    [risk === 'changesEditor', t('writes')],
    [claims.includes('destructive'), t('may destroy or overwrite, as the server claims')],
    [claims.includes('changesThings'), t('writes, as the server claims')],
    [knows?.place?.kind === 'remote', t('reaches the network')],
    [claims.includes('openWorld'), t('reaches the network, as the server claims')],
  ];
  return effects.find(([applies]) => applies)?.[1];
}

function comparedWords(knows: CallKnowledge | undefined): string {
  return knows?.isPartly === true ? t('too much to compare all of it') : nothingUnusual();
}

/** What the worst of a call is when there is nothing to say of it. */
export function nothingUnusual(): string {
  return t('nothing unusual');
}

/** The lines about a call. None of them says that something is safe: what was not found may be there all the same. */
export function knownLines(
  { knows, risk, claims }: CallToolQuestion,
  /** What has changed since it was last allowed, in words. */
  change: string | undefined,
  /** Whether the person has changed the arguments since they were looked through. */
  areArgumentsChanged = false,
): readonly KnownLine[] {
  const plain = (text: string): KnownLine => ({ text, isWarning: false });
  const carried = carriedLines(knows);
  // The head stays with the lines that it is about, whatever comes first.
  const hasCarried = carried.some(({ isWarning }) => isWarning);
  return [
    ...(knows?.place === undefined ? [] : [plain(placeLine(knows.place, risk))]),
    // This is the server's own claim: it makes no call look safer.
    ...(claims.length === 0 ? [] : [plain(claimsLine(claims))]),
    ...(change === undefined ? [] : [{ text: change, isWarning: true }]),
    ...(areArgumentsChanged && carried.length > 0
      ? [{ text: t('About the arguments as they were asked for:'), isWarning: hasCarried }]
      : []),
    ...carried,
  ];
}

/** The lines about what the arguments carry. */
export function carriedLines(knows: CallKnowledge | undefined): readonly KnownLine[] {
  return [...(knows?.carried ?? []).map(carriedLine), ...comparisonLines(knows).map((text) => ({ text, isWarning: false }))];
}

/** Says where the call is carried out. Only of the editor's own tools it is known whether they write or reach the network. */
function placeLine(place: CallPlace, risk: CallToolQuestion['risk']): string {
  switch (place.kind) {
    case 'editor':
      return editorLine(risk);
    case 'thisMachine':
      return t('Runs on this machine with your rights. What it writes or reaches, and whether anything holds it back, is unknown.');
    case 'remote':
      return t('Goes to {0}. What is written there, or goes on from there, is unknown.', wholeText(place.host));
    default:
      return unreachable(place);
  }
}

function editorLine(risk: CallToolQuestion['risk']): string {
  switch (risk) {
    case 'readsEditor':
      return t('Runs inside this editor. It writes nothing and has no use for the network itself.');
    case 'changesEditor':
      return t('Runs inside this editor. It writes, and has no use for the network itself.');
    case 'runsCode':
      return t('Runs code on this machine, which may write and reach the network.');
    case 'unknown':
      return t('Runs inside this editor.');
    default:
      return unreachable(risk);
  }
}

function carriedLine(carried: CarriedText): KnownLine {
  const { path, encoding, excerpt } = carried;
  const place = wholeText(path);
  const words: Readonly<Record<CarriedText['encoding'], string>> = {
    plain: t('“{0}” carries text from {1}:', place, originOf(carried)),
    percent: t('“{0}” carries text, written for a URL, from {1}:', place, originOf(carried)),
    base64: t('“{0}” carries text, written as base64, from {1}:', place, originOf(carried)),
    hex: t('“{0}” carries text, written as hexadecimal digits, from {1}:', place, originOf(carried)),
    disguised: t('“{0}” carries text, written in other signs or in another order, from {1}:', place, originOf(carried)),
  };
  return { text: words[encoding], isWarning: true, quote: wholeText(excerpt) };
}

/** Says where a text came from: the server and the tool always, and what the tool was asked for where that is known. */
function originOf({ server, tool, source }: CarriedText): string {
  const [serverName, toolName] = [wholeText(server), wholeText(tool)];
  switch (source.kind) {
    case 'result':
      return t('a result of {0} {1}', serverName, toolName);
    case 'withheldFile':
      return t('a result of {0} {1}, which was given the file name {2}', serverName, toolName, wholeText(source.name));
    case 'webPage':
      return t('a result of {0} {1}, which was given or names the address {2}', serverName, toolName, wholeText(source.host));
    default:
      return unreachable(source);
  }
}

function comparisonLines(knows: CallKnowledge | undefined): readonly string[] {
  if (knows === undefined || knows.compared === 0) {
    return [];
  }
  return [
    ...(knows.carried.length === 0
      ? [t('No text of earlier results was recognised in the arguments. Short pieces, other words and most codes would not be.')]
      : []),
    ...(knows.isPartly ? [t('There was too much to compare all of it.')] : []),
  ];
}

/** The remark beside a field whose value carries, or contains, such a text. */
export function carriedRemark(knows: CallKnowledge | undefined, path: string): string | undefined {
  const isWithin = (inner: string): boolean => inner === path || inner.startsWith(`${path}.`) || inner.startsWith(`${path}[`);
  const found = (knows?.carried ?? []).filter((carried) => isWithin(carried.path)).map(originOf);
  return found.length === 0 ? undefined : t('Carries text from {0}.', [...new Set(found)].join(', '));
}
