import { revealInvisible } from '../base/visibleText.ts';
import type { Answer } from '../consent/consentModel.ts';
import type { PermissionRow } from '../contract/permissionMessages.ts';
import { permissionWords, togetherWords, type NamedServer } from './sentences/permissionWords.ts';
import type { Translate } from './sentences/translate.ts';

/** What was given as one is revoked as one. */
export function rowIdOf({ id, group }: Answer): string {
  return group ?? id;
}

/** The latest first. */
export function permissionRows(
  answers: readonly Answer[],
  holdsHere: (answer: Answer) => boolean,
  named: NamedServer,
  t: Translate,
): PermissionRow[] {
  const rows = new Map<string, [Answer, ...Answer[]]>();
  for (const answer of answers) {
    const row = rows.get(rowIdOf(answer));
    if (row === undefined) {
      rows.set(rowIdOf(answer), [answer]);
    } else {
      row.push(answer);
    }
  }
  return [...rows.values()]
    .map((together) => toRow(together, holdsHere(together[0]), named, t))
    .sort((one, other) => (one.since < other.since ? 1 : -1));
}

function toRow(answers: readonly [Answer, ...Answer[]], isHere: boolean, named: NamedServer, t: Translate): PermissionRow {
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
    answer: answer.answer,
    where: revealInvisible(where),
    isHere,
    since: answer.since,
    ...(lastUsed !== undefined && { lastUsed }),
    subject: revealInvisible(subject),
  };
}
