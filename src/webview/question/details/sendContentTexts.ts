import type { Difference, Question } from '../../../contract/questions/questions.ts';
import type { ContentDestination, ContentItem, SendContentQuestion } from '../../../contract/questions/sentContent.ts';
import type { SeeEditorQuestion } from '../../../contract/questions/toolQuestions.ts';
import { secretMark } from '../../../secrets/secretMarks.ts';
import { attachmentLabel } from '../../shared/attachmentTexts.ts';
import { formatBytes } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

export function contentTitle({ source, server, destination }: SendContentQuestion): string {
  const [name, from, to] = [wholeText(source.name), wholeText(server), shortDestination(destination)];
  if (source.kind === 'attachment') {
    return t('Send “{0}” to {1}?', attachmentLabel({ kind: source.what, name }), to);
  }
  if (source.kind === 'instructions') {
    return t('Give {0} the instructions of this project, “{1}”?', to, name);
  }
  if (source.kind === 'workspaceSkills') {
    return t('Tell {0} of the skills in this workspace? There are {1}.', to, name);
  }
  if (source.kind === 'skill') {
    return server === ''
      ? t('Give {0} the skill “{1}” of this workspace?', to, name)
      : t('Give {0} the skill “{1}” of the server “{2}”?', to, name, from);
  }
  return source.kind === 'resource'
    ? t('Send the resource “{0}” of the server “{1}” to {2}?', name, from, to)
    : t('Send the prompt “{0}” of the server “{1}” to {2}?', name, from, to);
}

export function contentEffect({ destination, source }: SendContentQuestion): string {
  if (source.kind === 'instructions' && destination.kind === 'model') {
    return t(
      'The text below goes to {0} at {1} with every request, as how this project wants work to be done.',
      wholeText(destination.name),
      hostOf(wholeText(destination.address)),
    );
  }
  if (source.kind === 'workspaceSkills' && destination.kind === 'model') {
    return t(
      'The names and descriptions below go to {0} at {1} with every request. Before the text of a skill goes there, you are asked again.',
      wholeText(destination.name),
      hostOf(wholeText(destination.address)),
    );
  }
  return destination.kind === 'guide'
    ? t('It becomes part of this conversation. The offline guide is on this computer: nothing leaves it.')
    : t(
        'It becomes part of this conversation and goes to {0} at {1} with every message.',
        wholeText(destination.name),
        hostOf(wholeText(destination.address)),
      );
}

export function contentOrigin({ server, source }: SendContentQuestion): string {
  if (source.kind === 'attachment') {
    return source.isWithheld
      ? t('You attached it. It is one of the files that Duplex withholds from clients, because such files hold secrets.')
      : t('You attached it. Something in it looks like a secret.');
  }
  if (source.kind === 'instructions') {
    return t('It is a file of this workspace: whoever wrote the project wrote it. Your own words outrank it.');
  }
  if (source.kind === 'workspaceSkills' || (source.kind === 'skill' && server === '')) {
    return t(
      'It comes from files of this workspace: whoever wrote the project wrote them. Whatever they say, no tool is allowed by them and nothing runs by itself.',
    );
  }
  if (source.kind === 'skill') {
    return t(
      'The server “{0}” wrote it; nobody has checked what it says. Whatever it says, no tool is allowed by it and nothing runs by itself.',
      wholeText(server),
    );
  }
  return t('The server “{0}” wrote it; nobody has checked what it says.', wholeText(server));
}

export function contentChange({ detail, differences }: Question): string {
  const hasChanged = (field: string): boolean => differences.some((each) => each.field === field);
  if (isOfSkills(detail) && differences.some(isOfFile)) {
    return t('Files of it have changed since you last allowed it.');
  }
  if (hasChanged('text')) {
    return t('The file has changed since you last allowed it.');
  }
  if (!hasChanged('destination')) {
    return t('The definition of the server has changed since you last allowed it.');
  }
  return hasChanged('server')
    ? t('It went to somebody else when you last allowed it, and the definition of the server has changed since.')
    : t('It went to somebody else when you last allowed it.');
}

function isOfSkills(detail: Question['detail']): boolean {
  return detail.kind === 'sendContent' && (detail.source.kind === 'skill' || detail.source.kind === 'workspaceSkills');
}

/** Among the differences of skills, those that are named by a file. */
function isOfFile({ field }: Difference): boolean {
  return field !== 'server' && field !== 'destination';
}

/** The size of what is sent, with the secrets that the person keeps. */
export function contentSize({ items, bytes, totalBytes, totalParts, secrets }: SendContentQuestion, kept: ReadonlySet<number>): string {
  const added = [...kept].reduce((sum, secret) => sum + (secrets[secret - 1]?.length ?? secretMark.length) - secretMark.length, 0);
  const size =
    totalBytes === undefined
      ? formatBytes(bytes + added)
      : t('the first {0} of {1}; the rest is not sent', formatBytes(bytes + added), formatBytes(totalBytes + added));
  return totalParts === undefined ? size : `${size} · ${t('{0} of {1} parts; the others are not sent', items.length, totalParts)}`;
}

/** The files of a skill at a glance, each with its size. Their texts stand below, all of them. */
export function fileLines({ items, secrets }: SendContentQuestion): readonly string[] {
  const sizeOf = (piece: string | number): number =>
    typeof piece === 'string' ? new TextEncoder().encode(piece).length : (secrets[piece - 1]?.length ?? 0);
  return items.map((item) => {
    const bytes =
      item.kind === 'text' ? item.pieces.reduce<number>((sum, piece) => sum + sizeOf(piece), 0) : 'bytes' in item ? item.bytes : 0;
    return `${wholeText(item.name)} (${formatBytes(bytes)})`;
  });
}

/**
 * The longest resource that is unfolded at first. A resource is data and may be long; a prompt speaks in the person's name and
 * instructions and skills steer answers, so all of those must be in view before they are allowed. So must pictures: no line says what is
 * in one.
 */
const maxOpenLines = 15;

export function isContentOpen({ source, items, invisible }: SendContentQuestion, lines: number): boolean {
  const isForModel = source.kind !== 'resource' && source.kind !== 'attachment';
  return isForModel || lines <= maxOpenLines || invisible > 0 || items.some(({ kind }) => kind === 'image');
}

/** The line above a part of the content. For the only part the name says nothing new, unless the model is told it. */
export function itemHead(item: ContentItem, isOnly: boolean): string {
  const role = item.role === undefined ? [] : [item.role === 'user' ? t('User') : t('Assistant')];
  const isSent = item.kind === 'named' || item.kind === 'link';
  const name = item.name === '' || (isOnly && !isSent) ? [] : [wholeText(item.name)];
  return [...role, ...name].join(' · ');
}

export function contentScope({ source }: SendContentQuestion): string {
  if (source.kind === 'instructions') {
    return t('Allowed for longer, it covers exactly this text, without its secrets. When the file changes, you are asked again.');
  }
  if (source.kind === 'skill') {
    return t(
      'Allowed for longer, it covers exactly these files, without their secrets. When one byte of them changes, you are asked again, with the difference.',
    );
  }
  if (source.kind === 'workspaceSkills') {
    return t(
      'Allowed for longer, it covers these skills with the files that they have now. When one byte of them changes, you are asked again.',
    );
  }
  return source.kind === 'resource'
    ? t(
        'Allowed for longer, it covers this resource of this server, whatever is in it then. From what is sent later, secrets that are found are always removed.',
      )
    : t(
        'Allowed for longer, it covers this prompt of this server, whatever it says then. From what is sent later, secrets that are found are always removed.',
      );
}

function shortDestination(destination: ContentDestination): string {
  return destination.kind === 'guide' ? t('the offline guide') : wholeText(destination.name);
}

/** The host of an address, which is what people know it by. */
function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

/** Whether a difference says no more than that the server is started from something else. */
export function isOfServer({ field, before, after }: Difference): boolean {
  return field === 'server' && before === undefined && after === undefined;
}

/**
 * The differences to show in words. The offline guide has no address and is named instead; that the content comes from another
 * server is said elsewhere.
 */
export function shownDifferences({ detail, differences }: Question): readonly Difference[] {
  if (detail.kind === 'callTool') {
    return differences.filter((each) => !isOfServer(each));
  }
  if (detail.kind !== 'seeEditor' && detail.kind !== 'sendContent') {
    return differences;
  }
  const place = (address = ''): string => (address === '' ? t('The offline guide') : address);
  return differences
    .filter(
      (each) =>
        each.field === 'destination' ||
        detail.kind === 'seeEditor' ||
        (isOfSkills(detail) ? isOfFile(each) : each.field === 'text' && each.before !== undefined),
    )
    .map((each) => {
      if (each.field === 'destination') {
        return { field: t('Destination'), before: place(each.before), after: place(each.after) };
      }
      return each.field === 'text' && detail.kind === 'sendContent' && !isOfSkills(detail) ? { ...each, field: t('Text') } : each;
    });
}

/** The title of the question whether the chat may read the workspace; it names whoever answers in the chat. */
export function seeTitle({ asker }: SeeEditorQuestion): string {
  switch (asker.kind) {
    case 'model':
      return t('{0} wants to read this workspace’s files, problems, symbols and test results', wholeText(asker.name));
    case 'guide':
      return t('The offline guide wants to read this workspace’s files, problems, symbols and test results');
    case 'person':
    case 'app':
    case 'command':
    case 'task':
    case 'client':
      return t('The chat wants to read this workspace’s files, problems, symbols and test results');
  }
}

export function seeEffect({ destination }: SeeEditorQuestion): string {
  return destination.kind === 'model'
    ? t('It changes nothing. What it reads goes to {0} with your conversation.', hostOf(wholeText(destination.address)))
    : t('It changes nothing, and what it reads stays on this machine. Before it goes to a model, you are asked again.');
}

export function seeChange({ differences }: Question): string {
  return differences.some(({ field }) => field === 'destination')
    ? t('What is read goes to somebody else than when you last allowed it.')
    : t('There are other tools that only look than when you last allowed it.');
}

export function seeSource(): string {
  return t('One answer for all tools of the editor that only look. Withheld files and terminals are not included.');
}
