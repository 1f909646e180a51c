// arguments/: a tool's arguments as a form and as JSON. Both show and change one JSON text (argumentsState.ts), so they cannot
// disagree; what the tool's schema refuses is said beside the field and below the JSON. This file is the draft of a person.
import { useMemo, useState } from 'preact/hooks';
import type { ArgumentGroup, ArgumentPath, ArgumentValue } from '../../contract/argumentFields.ts';
import type { JsonObject } from '../../base/json.ts';
import { argumentProblems } from '../../schemaForms/argumentProblems.ts';
import { valueAt } from '../../schemaForms/argumentValues.ts';
import { argumentsProblem, editableJson } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { changedText, parsedArguments } from './argumentsState.ts';
import { placedSentence, problemSentence } from './argumentTexts.ts';

export interface ArgumentsDraft {
  readonly text: string;
  /** Undefined while the text is no JSON object: the form has nothing to show then. */
  readonly value: JsonObject | undefined;
  /** The first one, with its place, while there is one: nothing can be allowed then. */
  readonly problem: string | undefined;
  /** The person has changed them: what was found out about them before may not hold any more. */
  readonly isChanged: boolean;
  /** What the host found against them, while they are as they came back. */
  readonly refusal: string | undefined;
  readonly setText: (text: string) => void;
  readonly set: (path: ArgumentPath, value: ArgumentValue) => void;
  /** What a field of the form says is no JSON: it is in no value, and must not be lost sight of. */
  readonly setUnread: (path: ArgumentPath, isUnread: boolean) => void;
  /** The value that was asked for at a place. */
  readonly askedAt: (path: ArgumentPath) => ArgumentValue;
  /** Whether the value at a place is another one than was asked for. */
  readonly isChangedAt: (path: ArgumentPath) => boolean;
  readonly problemAt: (path: ArgumentPath) => string | undefined;
}

export interface DraftedArguments {
  readonly arguments: string;
  readonly form?: ArgumentGroup | undefined;
  readonly refusal?: string | undefined;
}

export function useArgumentsDraft(original: DraftedArguments | undefined): ArgumentsDraft {
  const first = useMemo(() => editableJson(original?.arguments ?? '{}'), [original?.arguments]);
  const [text, setText] = useState(first);
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const value = parsedArguments(text);
  const asked = useMemo(() => parsedArguments(first), [first]);
  const problems = original?.form === undefined || value === undefined ? [] : argumentProblems(original.form, value);
  // The first of each place.
  const problemsByPath = new Map(problems.toReversed().map((each) => [keyOf(each.path), each]));
  // The host's own word on exactly this text.
  const refusal =
    original?.refusal !== undefined && text === first ? t('The tool’s schema refuses this: {0}', wholeText(original.refusal)) : undefined;
  const [placed] = problems.slice(0, 1).map(placedSentence);
  return {
    text,
    value,
    problem: argumentsProblem(text) ?? (unread.size > 0 ? t('A field of the form is not JSON yet.') : undefined) ?? placed ?? refusal,
    refusal,
    isChanged: text !== first,
    askedAt: (path) => valueAt(asked ?? {}, path),
    isChangedAt: (path) => text !== first && JSON.stringify(valueAt(value ?? {}, path)) !== JSON.stringify(valueAt(asked ?? {}, path)),
    setText: (next) => {
      setUnread(new Set());
      setText(next);
    },
    set: (path, next) => setText((before) => changedText(before, path, next)),
    setUnread: (path, isUnread) => setUnread((before) => withMember(before, keyOf(path), isUnread)),
    problemAt: (path) => {
      const key = keyOf(path);
      const found = problemsByPath.get(key);
      return unread.has(key) ? t('This is not JSON yet.') : found && problemSentence(found.problem);
    },
  };
}

function keyOf(path: ArgumentPath): string {
  return JSON.stringify(path);
}

function withMember(set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const others = [...set].filter((each) => each !== key);
  return set.has(key) === isIn ? set : new Set(isIn ? [...others, key] : others);
}
