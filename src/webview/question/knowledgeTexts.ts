import { unreachable } from '../../base/errors.ts';
import type { CallKnowledge, CallPlace, CarriedText } from '../../contract/questions/callKnowledge.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { claimsLine } from './questionTexts.ts';

/** One short line about what Duplex itself knows; `isWarning` marks a reason to look twice. */
export interface KnownLine {
  readonly text: string;
  readonly isWarning: boolean;
  /** The part of the arguments that the line is about. */
  readonly quote?: string | undefined;
}

/** The lines about a call. None of them says that something is safe: what was not found may be there all the same. */
export function knownLines(
  { knows, risk, claims }: CallToolQuestion,
  hasChanged: boolean,
  /** Whether the person has changed the arguments since they were looked through. */
  areArgumentsChanged = false,
): readonly KnownLine[] {
  const plain = (text: string): KnownLine => ({ text, isWarning: false });
  const carried = carriedLines(knows);
  return [
    ...(knows?.place === undefined ? [] : [plain(placeLine(knows.place, risk))]),
    // This is the server's own claim: it makes no call look safer.
    ...(claims.length === 0 ? [] : [plain(claimsLine(claims))]),
    ...(hasChanged ? [{ text: t('The server has changed this tool since you last allowed it.'), isWarning: true }] : []),
    ...(areArgumentsChanged && carried.length > 0 ? [plain(t('About the arguments as they were asked for:'))] : []),
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
      ? [t('No text of earlier results was recognised in the arguments. Short pieces and other words would not be.')]
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
