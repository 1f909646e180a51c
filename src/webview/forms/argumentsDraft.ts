// forms/: forms that a person fills in. A tool's arguments are a form of any depth and JSON as well: both show and change one JSON
// text (argumentsState.ts), so they cannot disagree (argumentsEditor.tsx, fieldInput.tsx). What a server asks for, and what a prompt
// needs, has one level (flatForm.tsx). All of them share their controls and their sentences. This file is the draft of arguments.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isJsonObject, type JsonObject, parsedObject } from '../../base/json.ts';
import type { FormGroup, ValuePath, ArgumentRefusal, FieldValue, FormVariant } from '../../contract/forms/formFields.ts';
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
import { changedText } from './argumentsState.ts';
import { placedSentence, problemSentence } from './formTexts.ts';

export interface ArgumentsDraft {
  readonly text: string;
  /** The parsed text; undefined while it is no JSON object, and then the form has nothing to show. */
  readonly value: JsonObject | undefined;
  /** The first problem of the arguments, with its place. */
  readonly problem: string | undefined;
  /**
   * The first problem that is known of exactly this text: it keeps the arguments from being sent. A problem of the text before it
   * does not.
   */
  readonly obstacle: string | undefined;
  /** Whether the person has changed the arguments: what was found out about them before may not hold any more. */
  readonly isChanged: boolean;
  /** What the host found against the arguments, while they are as they came back from it. */
  readonly refusal: string | undefined;
  readonly setText: (text: string) => void;
  readonly set: (path: ValuePath, value: FieldValue) => void;
  /** Marks a field whose text is no JSON: it is part of no value, and must not be lost sight of. */
  readonly setUnread: (path: ValuePath, isUnread: boolean) => void;
  /** The value that the arguments had at a place at first. */
  readonly askedAt: (path: ValuePath) => FieldValue;
  /** Whether the value at a place is no longer the one it had at first. */
  readonly isChangedAt: (path: ValuePath) => boolean;
  readonly problemAt: (path: ValuePath) => string | undefined;
  /** The first problem at a place or anywhere within it, for what is shown whole as JSON. */
  readonly problemWithin: (path: ValuePath) => string | undefined;
  /** The variant that the value at a place is shown as; undefined while there is nothing to show. */
  readonly variantAt: (path: ValuePath, variants: readonly FormVariant[]) => number | undefined;
  /** Shows the value at a place as this variant from now on; undefined lets the best fit decide again. */
  readonly choose: (path: ValuePath, variant: number | undefined) => void;
}

export interface DraftedArguments {
  readonly arguments: string;
  readonly form?: FormGroup | undefined;
  /** What the person had typed before the form was drawn anew. */
  readonly typed?: string | undefined;
  readonly refusal?: string | undefined;
  /** The reasons of `refusal`, each with its place in the arguments. */
  readonly refusals?: readonly ArgumentRefusal[] | undefined;
}

/** The state of arguments that a person edits. `check` compares what is typed with the whole schema, where the page can have that done. */
export function useArgumentsDraft(original: DraftedArguments | undefined, check?: CheckArguments): ArgumentsDraft {
  const first = useMemo(() => editableJson(original?.arguments ?? '{}'), [original?.arguments]);
  const [text, setText] = useState(original?.typed ?? first);
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = useState<VariantChoices>(new Map());
  const value = parsedObject(text);
  const asked = useMemo(() => parsedObject(first), [first]);
  const form = original?.form;
  const own = form === undefined || value === undefined ? [] : argumentProblems(form, value, choices);
  const typed = useTypedRefusals(text, value !== undefined, check);
  const returned = text === first ? (original?.refusals ?? []) : [];
  const withRefusals = (refusals: readonly ArgumentRefusal[]): readonly PlacedProblem[] => {
    const refused = form === undefined ? [] : refusals.map((each) => placedRefusal(form, value, each, choices));
    return [...own, ...unexplained(refused, own)];
  };
  const problems = withRefusals([...returned, ...typed.refusals]);
  // The sentence of the host about exactly this text, where nothing more precise is known.
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
      // When an item is removed, the next one moves to its place and is another value, so variants chosen there are forgotten.
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

/** Leaves out what the validator says about a whole value where a problem within that value already explains it better. */
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
  // Only the first problem of each place is kept.
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

function withoutThose(choices: VariantChoices, above: ValuePath): VariantChoices {
  return new Map([...choices].filter(([key]) => !isWithin(JSON.parse(key) as ValuePath, above)));
}

function isWithin(path: ValuePath, above: ValuePath): boolean {
  return above.every((step, index) => path[index] === step);
}

function withMember(set: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const others = [...set].filter((each) => each !== key);
  return set.has(key) === isIn ? set : new Set(isIn ? [...others, key] : others);
}

/** Compares arguments, as JSON text, with the tool's whole schema; resolves to nothing where that cannot be done. */
export type CheckArguments = (text: string, signal: AbortSignal) => Promise<readonly ArgumentRefusal[]>;

interface Found {
  readonly text: string;
  readonly refusals: readonly ArgumentRefusal[];
}

/** How long typing must pause before the arguments are checked: long enough to type a word, short enough to still look at it. */
const pauseMs = 300;

export interface TypedRefusals {
  readonly refusals: readonly ArgumentRefusal[];
  /** Whether the reasons are about the text as it is now, and not about what was typed before. */
  readonly isOfThisText: boolean;
}

/** What the whole schema has against the typed arguments, once they are JSON. */
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
      // Arguments that cannot be checked now are checked again before they are sent.
      check(text, stopping.signal).then(finish, () => finish([]));
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [text, isJson]);
  return { refusals: isJson ? stillTrue(found, text) : [], isOfThisText: found.text === text };
}

/** Keeps a reason until the next check as long as the value it is about stays the same, so that nothing flickers at each key. */
export function stillTrue({ text: before, refusals }: Found, text: string): readonly ArgumentRefusal[] {
  if (before === text || refusals.length === 0) {
    return refusals;
  }
  const [then, now] = [parsedObject(before) ?? {}, parsedObject(text) ?? {}];
  const isSame = ({ path }: ArgumentRefusal): boolean => {
    const value = valueAt(then, path);
    const isMissing = value === undefined;
    return path.length > 0 && JSON.stringify(value) === JSON.stringify(valueAt(now, path)) && (!isMissing || hasPlaceFor(path, then, now));
  };
  return refusals.filter(isSame);
}

/** Whether a value that was missing is still missing at the same place: an item that was removed moves all later ones up. */
function hasPlaceFor(path: ValuePath, then: JsonObject, now: JsonObject): boolean {
  return path.every((_, depth) => {
    const above = path.slice(0, depth);
    const [before, after] = [valueAt(then, above), valueAt(now, above)];
    return Array.isArray(before) ? Array.isArray(after) && before.length === after.length : isJsonObject(after);
  });
}
