import { revealInvisible } from '../../base/visibleText.ts';
import type { CallRule } from '../../consent/callRules.ts';
import type { RememberedAnswer } from '../../consent/consentModel.ts';
import type { PermissionRow } from '../../contract/pages/permissionMessages.ts';
import type { Translate } from '../sentences/translate.ts';

/** The id of the row of an answer. Answers that were given together have one row, and are revoked together. */
export function rowIdOf({ id, group }: RememberedAnswer): string {
  return group ?? id;
}

/** Makes the rows of the page, the latest first. */
export function permissionRows(
  answers: readonly RememberedAnswer[],
  holdsHere: (answer: RememberedAnswer) => boolean,
  named: NamedServer,
  t: Translate,
): PermissionRow[] {
  const rows = new Map<string, [RememberedAnswer, ...RememberedAnswer[]]>();
  for (const answer of answers) {
    const row = rows.get(rowIdOf(answer));
    if (row === undefined) {
      rows.set(rowIdOf(answer), [answer]);
    } else {
      row.push(answer);
    }
  }
  return [...rows.values()]
    .map((together) => withFolder(toRow(together, holdsHere(together[0]), named, t), together[0], answers, t))
    .sort((one, other) => (one.since < other.since ? 1 : -1));
}

/** Tells the answers about starts of one server in several folders apart. */
function withFolder(row: PermissionRow, answer: RememberedAnswer, all: readonly RememberedAnswer[], t: Translate): PermissionRow {
  const { action, subject, material } = answer;
  const isLike = (other: RememberedAnswer): boolean => other.action === action && other.subject.join('\0') === subject.join('\0');
  const folders = action === 'startServer' ? new Set(all.filter(isLike).map((other) => other.material['cwd'])) : undefined;
  const { cwd } = material;
  return folders !== undefined && folders.size > 1 && typeof cwd === 'string'
    ? { ...row, what: t('{0}, in {1}', row.what, revealInvisible(cwd)) }
    : row;
}

function toRow(
  answers: readonly [RememberedAnswer, ...RememberedAnswer[]],
  isHere: boolean,
  named: NamedServer,
  t: Translate,
): PermissionRow {
  const [answer] = answers;
  const { what, whose, where, subject } = permissionWords(answer, named, isHere, t);
  const lastUsed = answers
    .flatMap((each) => each.lastUsed ?? [])
    .sort()
    .at(-1);
  return {
    id: rowIdOf(answer),
    who: revealInvisible(whose),
    what: revealInvisible(answers.length === 1 ? what : togetherWords(answers, named, t)),
    answer: answer.answer === 'deny' ? 'deny' : 'allow',
    where: revealInvisible(where),
    isHere,
    since: answer.since,
    ...(lastUsed !== undefined && { lastUsed }),
    subject: revealInvisible(subject),
  };
}

/** Finds the name of a server by its id, and whether there is such a server in this window. */
export type NamedServer = (id: string) => { readonly name: string; readonly isHere: boolean };

export interface PermissionWords {
  readonly what: string;
  /** Who is allowed or denied it. */
  readonly whose: string;
  readonly where: string;
  /** The server or the client that the answer is about. */
  readonly subject: string;
}

/** Says a remembered answer in words. Names stand in quotes, and no internal id appears. */
export function permissionWords(answer: RememberedAnswer, named: NamedServer, isHere: boolean, t: Translate): PermissionWords {
  const [kind, id = ''] = answer.subject;
  return {
    what: subjectWords(answer, named, t),
    whose: principalWords(answer.principal, t),
    where: scopeWords(answer, isHere, t),
    subject: kind === 'server' ? named(id).name : kind === 'client' ? id : (kind ?? ''),
  };
}

function subjectWords(answer: RememberedAnswer, named: NamedServer, t: Translate): string {
  const { action, subject, material } = answer;
  const [, id = '', , tool = '', act = ''] = subject;
  const server = (): string => serverWords(named(id), t);
  switch (action) {
    case 'startServer':
      return material['confined'] === undefined ? t('start the server {0}', server()) : t('start the server {0}, confined', server());
    case 'callTool':
      return callWords(answer, server(), t);
    case 'connectClient':
      return t('let the client “{0}” in', id);
    case 'seeRoots':
      return t('tell the server {0} the workspace folders', server());
    case 'useModel':
      return answer.answer === 'allow' && typeof material['model'] === 'string'
        ? t('send model requests of the server {0} to {1} unseen', server(), material['model'])
        : t('answer model requests of the server {0}', server());
    case 'clientAct':
      return t('let the client “{0}” do: {1}', id, `${tool} ${act}`);
    case 'ownAct':
      return subject.slice(2).join(' ');
    case 'useIssuer':
      return t('sign in to the server {0} at {1}', server(), typeof material['issuer'] === 'string' ? material['issuer'] : '');
    case 'seeWithheld':
      if (subject[2] === 'allTools') {
        return t('tell the client “{0}” of every tool of the offered servers', id);
      }
      return subject[2] === 'outside'
        ? t('show the client “{0}” open documents outside the workspace', id)
        : t('show the client “{0}” sensitive files', id);
    case 'sendContent':
      return contentWords(answer, server(), t);
    case 'askPerson':
      return t('show questions of the server {0}', server());
    case 'seeEditor':
      return seeWords(answer, t);
    case 'showApp':
      return t('show the app “{0}” of the server {1}', subject[4] ?? '', server());
    case 'appAct':
      return appWords(subject[3], server(), t);
  }
}

function appWords(what: string | undefined, server: string, t: Translate): string {
  if (what === 'tellModel') {
    return t('let apps of the server {0} tell the model something', server);
  }
  return what === 'download'
    ? t('let apps of the server {0} save files', server)
    : t('let apps of the server {0} open links and send messages', server);
}

/** Says which tool may be called. A task is allowed by its name and with its arguments; a refusal is for all tasks. */
function callWords({ subject, answer, rule }: RememberedAnswer, server: string, t: Translate): string {
  const [, , what, tool = '', kind, of] = subject;
  const task = kind === 'task' ? of : undefined;
  if (what === 'resources') {
    return answer === 'allow' ? t('read what the server {0} lists', server) : t('read at the server {0}', server);
  }
  if (what === 'template') {
    return t('read addresses of the pattern “{0}” at the server {1}', tool, server);
  }
  if (what === 'prompt') {
    return t('get the prompt “{0}” of the server {1}', tool, server);
  }
  if (what === 'app') {
    return t('call “{0}” in the app of the server {1}', kind ?? '', server);
  }
  if (rule !== undefined) {
    return ruleWords(rule, tool, server, t);
  }
  if (tool === '') {
    return t('call any tool of the server {0}', server);
  }
  return answer === 'allow' && task !== undefined
    ? t('call “{0}” of the server {1} in the task “{2}”, with the arguments that it had then', tool, server, task)
    : t('call “{0}” of the server {1}', tool, server);
}

/** Says which calls a rule allows: no more than it covers, and what the person might think it does not. */
function ruleWords(rule: CallRule, tool: string, server: string, t: Translate): string {
  if (rule.kind === 'exactArguments') {
    return t('call “{0}” of the server {1} with exactly these arguments: {2}', tool, server, rule.arguments);
  }
  const { folder, realFolder } = rule;
  return t(
    'call “{0}” of the server {1} when “path” is inside {2}, whatever its other arguments are; not through links, and not for a second path, a list, hidden or sensitive files, or server configuration',
    tool,
    server,
    folder === realFolder ? folder : `${folder} (${realFolder})`,
  );
}

/** Says which tools of one server were allowed together. */
function togetherWords(answers: readonly RememberedAnswer[], named: NamedServer, t: Translate): string {
  const names = answers.map(({ subject }) => subject.at(-1) ?? '').sort((one, other) => one.localeCompare(other));
  const server = serverWords(named(answers[0]?.subject[1] ?? ''), t);
  return t('call the {0} tools that the server {1} had then: {2}', names.length, server, names.join(', '));
}

/**
 * Says for whom the workspace may be read. An allow is for one destination, a refusal for all; an allow of an earlier version
 * names none.
 */
function seeWords({ answer, material }: RememberedAnswer, t: Translate): string {
  const { destination } = material;
  return answer === 'deny' || typeof destination !== 'string'
    ? t('read the files, problems, symbols and test results of the workspace')
    : t('read the files, problems, symbols and test results of the workspace for {0}', destinationWords(destination, t));
}

function destinationWords(destination: unknown, t: Translate): string {
  return typeof destination === 'string' && destination !== '' ? destination : t('the offline guide');
}

/** Says what may be sent to which model. An allow is for one destination, a refusal for all. */
function contentWords({ subject, answer, material }: RememberedAnswer, server: string, t: Translate): string {
  const [, , kind, name = ''] = subject;
  const to = answer === 'deny' ? t('any model') : destinationWords(material['destination'], t);
  if (subject[0] === 'instructions') {
    return t('give the instructions of the project in {0} to {1}', subject[1] ?? '', to);
  }
  if (subject[0] === 'skills') {
    return t('tell of the skills of the workspace to {0}', to);
  }
  if (subject[0] === 'skill') {
    return t('give the skill in {0} to {1}', subject[1] ?? '', to);
  }
  if (kind === 'skill') {
    return t('give the skill “{0}” of the server {1} to {2}', name, server, to);
  }
  return kind === 'prompt'
    ? t('send the prompt “{0}” of the server {1} to {2}', name, server, to)
    : t('send the resource “{0}” of the server {1} to {2}', name, server, to);
}

function serverWords({ name, isHere }: ReturnType<NamedServer>, t: Translate): string {
  return isHere ? t('“{0}”', name) : t('“{0}” (not configured here)', name);
}

/** Says who asked for something. A principal that a newer version of Duplex wrote stays as it is. */
export function principalWords(principal: string, t: Translate): string {
  switch (principal) {
    case 'host':
      return t('Duplex');
    case 'chat':
      return t('Chat');
    case 'palette':
      return t('Run Tool');
    case 'task':
      return t('Tasks');
    case 'command':
      return t('A command of the editor');
    case 'traffic':
      return t('Send again');
    default:
      return principal.startsWith('app:') ? t('An app') : clientWords(principal, t);
  }
}

/** The id of a copied configuration is called a client already. */
function clientWords(principal: string, t: Translate): string {
  const id = /^client:(.*)$/s.exec(principal)?.[1];
  return id === undefined ? principal : id.startsWith('client-') ? id : t('Client {0}', id);
}

function scopeWords({ scope, workspace = '' }: RememberedAnswer, isHere: boolean, t: Translate): string {
  switch (scope) {
    case 'session':
      return t('This session');
    case 'workspace':
      return isHere ? t('This workspace') : t('The workspace {0}', decodeURIComponent(workspace));
    case 'always':
      return t('Everywhere');
  }
}
