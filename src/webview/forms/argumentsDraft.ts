// arguments/: a tool's arguments as a form and as JSON. Both show and change one JSON text (argumentsState.ts), so they cannot
// disagree; what the tool's schema refuses is said beside the field and below the JSON. This file is the draft of a person.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ArgumentGroup, ArgumentPath, ArgumentRefusal, ArgumentValue, ArgumentVariant } from '../../contract/forms/argumentFields.ts';
import {
  argumentProblems,
  chosenVariant,
  type PlacedProblem,
  placedRefusal,
  placeKey,
  type VariantChoices,
} from '../../schemaForms/argumentProblems.ts';
import { valueAt } from '../../schemaForms/argumentValues.ts';
import { argumentsProblem, editableJson } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { changedText, parsedArguments } from './argumentsState.ts';
import { placedSentence, problemSentence } from './formTexts.ts';

export interface ArgumentsDraft {
  readonly text: string;
  /** Undefined while the text is no JSON object: the form has nothing to show then. */
  readonly value: JsonObject | undefined;
  /** The first one, with its place, while there is one. */
  readonly problem: string | undefined;
  /** The same, as far as it is known of exactly this text: it is not sent then. What was said of the text before hinders nobody. */
  readonly obstacle: string | undefined;
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
  /** The first one of everything at a place, for what is shown whole as JSON. */
  readonly problemWithin: (path: ArgumentPath) => string | undefined;
  /** Which of the variants the value at a place is shown as; undefined while there is nothing to show. */
  readonly variantAt: (path: ArgumentPath, variants: readonly ArgumentVariant[]) => number | undefined;
  /** Shows the value at a place as another variant from now on; undefined: as the one it fits best. */
  readonly choose: (path: ArgumentPath, variant: number | undefined) => void;
}

export interface DraftedArguments {
  readonly arguments: string;
  readonly form?: ArgumentGroup | undefined;
  /** What the person had made of them before this was drawn. */
  readonly typed?: string | undefined;
  readonly refusal?: string | undefined;
  /** The same by where it stands. */
  readonly refusals?: readonly ArgumentRefusal[] | undefined;
}

/** `check`: holds what is typed against the whole schema, where whoever shows the form can have that done. */
export function useArgumentsDraft(original: DraftedArguments | undefined, check?: CheckArguments): ArgumentsDraft {
  const first = useMemo(() => editableJson(original?.arguments ?? '{}'), [original?.arguments]);
  const [text, setText] = useState(original?.typed ?? first);
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = useState<VariantChoices>(new Map());
  const value = parsedArguments(text);
  const asked = useMemo(() => parsedArguments(first), [first]);
  const form = original?.form;
  const own = form === undefined || value === undefined ? [] : argumentProblems(form, value, choices);
  const typed = useTypedRefusals(text, value !== undefined, check);
  const returned = text === first ? (original?.refusals ?? []) : [];
  const withRefusals = (refusals: readonly ArgumentRefusal[]): readonly PlacedProblem[] => {
    const refused = form === undefined ? [] : refusals.map((each) => placedRefusal(form, value, each, choices));
    return [...own, ...unexplained(refused, own)];
  };
  const problems = withRefusals([...returned, ...typed.refusals]);
  // The host's own word on exactly this text.
  const refusal =
    original?.refusal !== undefined && text === first && (form === undefined || (returned.length === 0 && typed.refusals.length === 0))
      ? t('The tool’s schema refuses this: {0}', wholeText(original.refusal))
      : undefined;
  const unreadable = argumentsProblem(text) ?? (unread.size > 0 ? t('A field of the form is not JSON yet.') : undefined);
  const firstOf = (known: readonly PlacedProblem[]): string | undefined =>
    unreadable ?? known.slice(0, 1).map(placedSentence)[0] ?? refusal;
  return {
    text,
    value,
    problem: firstOf(problems),
    obstacle: firstOf(typed.isOfThisText ? problems : withRefusals(returned)),
    refusal,
    isChanged: text !== first,
    askedAt: (path) => valueAt(asked ?? {}, path),
    isChangedAt: (path) => text !== first && JSON.stringify(valueAt(value ?? {}, path)) !== JSON.stringify(valueAt(asked ?? {}, path)),
    ...editing(setText, setUnread, setChoices),
    ...problemFinders(problems, unread),
    variantAt: (path, variants) => {
      const own = valueAt(value ?? {}, path);
      return own === undefined ? choices.get(placeKey(path)) : chosenVariant(variants, own, path, choices).index;
    },
  };
}

type Change<State> = (change: (before: State) => State) => void;

function editing(
  setText: Change<string>,
  setUnread: Change<ReadonlySet<string>>,
  setChoices: Change<VariantChoices>,
): Pick<ArgumentsDraft, 'setText' | 'set' | 'setUnread' | 'choose'> {
  return {
    setText: (next) => {
      setUnread(() => new Set());
      setChoices(() => new Map());
      setText(() => next);
    },
    set: (path, next) => {
      // What follows in a list takes the place of what is gone, and is another value.
      setChoices((before) => (next === undefined ? withoutThose(before, path.slice(0, -1)) : before));
      setText((before) => changedText(before, path, next));
    },
    setUnread: (path, isUnread) => setUnread((before) => withMember(before, placeKey(path), isUnread)),
    choose: (path, variant) =>
      setChoices((before) => {
        const others = withoutThose(before, path);
        return variant === undefined ? others : new Map([...others, [placeKey(path), variant]]);
      }),
  };
}

/** What is said within a value explains better why it is refused: by the form itself, or of one of its kinds. */
function unexplained(refused: readonly PlacedProblem[], own: readonly PlacedProblem[]): readonly PlacedProblem[] {
  const isSummary = ({ problem }: PlacedProblem): boolean =>
    problem.kind === 'refused' && (problem.keyword === 'anyOf' || problem.keyword === 'oneOf');
  const isWithinAnother = (each: PlacedProblem): boolean =>
    own.some(({ path }) => isWithin(path, each.path)) ||
    (isSummary(each) && refused.some(({ path }) => path.length > each.path.length && isWithin(path, each.path)));
  return refused.filter((each) => !isWithinAnother(each));
}

function problemFinders(
  problems: readonly PlacedProblem[],
  unread: ReadonlySet<string>,
): Pick<ArgumentsDraft, 'problemAt' | 'problemWithin'> {
  // The first of each place.
  const problemsByPath = new Map(problems.toReversed().map((each) => [placeKey(each.path), each]));
  return {
    problemAt: (path) => {
      const key = placeKey(path);
      const found = problemsByPath.get(key);
      return unread.has(key) ? t('This is not JSON yet.') : found && problemSentence(found.problem);
    },
    problemWithin: (path) => {
      const found = problems.find((each) => isWithin(each.path, path));
      return found && placedSentence({ ...found, path: found.path.slice(path.length) });
    },
  };
}

function withoutThose(choices: VariantChoices, above: ArgumentPath): VariantChoices {
  return new Map([...choices].filter(([key]) => !isWithin(JSON.parse(key) as ArgumentPath, above)));
}

function isWithin(path: ArgumentPath, above: ArgumentPath): boolean {
  return above.every((step, index) => path[index] === step);
}

function withMember(set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const others = [...set].filter((each) => each !== key);
  return set.has(key) === isIn ? set : new Set(isIn ? [...others, key] : others);
}

/** Arguments as JSON, held against the tool's whole schema; nothing where that cannot be done. */
export type CheckArguments = (text: string, signal: AbortSignal) => Promise<readonly ArgumentRefusal[]>;

interface Found {
  readonly text: string;
  readonly refusals: readonly ArgumentRefusal[];
}

/** Long enough for a word to be typed, short enough to still be looking at it. */
const pauseMs = 300;

export interface TypedRefusals {
  readonly refusals: readonly ArgumentRefusal[];
  /** False while they were said of what was typed before. */
  readonly isOfThisText: boolean;
}

/** What the whole schema says against what is typed, once that is JSON. */
function useTypedRefusals(text: string, isJson: boolean, check: CheckArguments | undefined): TypedRefusals {
  const [found, setFound] = useState<Found>({ text: '', refusals: [] });
  useEffect(() => {
    if (check === undefined || !isJson || text === found.text) {
      return;
    }
    const stopping = new AbortController();
    const timer = setTimeout(() => {
      const finish = (refusals: readonly ArgumentRefusal[]): void => {
        if (!stopping.signal.aborted) {
          setFound({ text, refusals });
        }
      };
      // What cannot be checked here is checked again before it is sent.
      check(text, stopping.signal).then(finish, () => finish([]));
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [text, isJson]);
  return { refusals: isJson ? stillTrue(found, text) : [], isOfThisText: found.text === text };
}

/** Until the next word comes, what was said of a value holds while the value is the same: nothing flickers at each key. */
export function stillTrue({ text: before, refusals }: Found, text: string): readonly ArgumentRefusal[] {
  if (before === text || refusals.length === 0) {
    return refusals;
  }
  const [then, now] = [parsedArguments(before) ?? {}, parsedArguments(text) ?? {}];
  const isSame = ({ path }: ArgumentRefusal): boolean => {
    const value = valueAt(then, path);
    const isMissing = value === undefined;
    return path.length > 0 && JSON.stringify(value) === JSON.stringify(valueAt(now, path)) && (!isMissing || hasPlaceFor(path, then, now));
  };
  return refusals.filter(isSame);
}

/** What is missing is missing everywhere: it is the same only in what was there before; in another list others may have moved up. */
function hasPlaceFor(path: ArgumentPath, then: JsonObject, now: JsonObject): boolean {
  return path.every((_, depth) => {
    const above = path.slice(0, depth);
    const [before, after] = [valueAt(then, above), valueAt(now, above)];
    return Array.isArray(before) ? Array.isArray(after) && before.length === after.length : isJsonObject(after);
  });
}
