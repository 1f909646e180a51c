import * as z from 'zod';
import { canonicalJson } from '../base/json.ts';
import { once } from '../base/late.ts';
import type { RuleScope } from '../contract/questions/toolQuestions.ts';

/** Which calls of a tool a permission "Allow when…" covers. What a rule says is what the person was told. Persisted: additive only. */
export type CallRule = ExactArguments | PathInside;

/** The call has exactly these arguments. */
export interface ExactArguments {
  readonly kind: 'exactArguments';
  /** The arguments as canonical JSON text. */
  readonly arguments: string;
}

/** The argument `path` of the call lies in a folder of this machine; its other arguments are free. */
export interface PathInside {
  readonly kind: 'pathInside';
  /** The folder as paths in it are written. */
  readonly folder: string;
  /** Where the folder really was when the rule was made. A rule ends when the folder leads elsewhere. */
  readonly realFolder: string;
}

/** What rules look at in a call. It is gathered anew for every decision, because what a path leads to can change at any moment. */
export interface CallFacts {
  /** The arguments as canonical JSON text. */
  readonly arguments: string;
  /**
   * The folders of this machine in which the call stays, as far as that can be told by its argument `path`. It is empty for a call
   * about which it cannot be told.
   */
  readonly folders: readonly CallFolder[];
}

/** A folder in which a call stays: the path as it is written, and where it really leads. */
export interface CallFolder {
  readonly written: string;
  readonly real: string;
}

/** What rules need about a call, and the rules that its question offers. */
export interface RuledInquiry {
  /** Gathers what rules look at. It is called for every decision, because what a path leads to can change while a question is open. */
  readonly facts: () => CallFacts;
  /** The rules behind the offers of the question, in the same order. */
  readonly offered: readonly OfferedRule[];
}

export interface OfferedRule {
  readonly rule: CallRule;
  readonly scopes: readonly RuleScope[];
}

/** Whether a rule covers a call, from the facts about the call alone. */
export function coversCall(rule: CallRule, call: CallFacts): boolean {
  return rule.kind === 'exactArguments'
    ? rule.arguments === call.arguments
    : call.folders.some(({ written, real }) => written === rule.folder && real === rule.realFolder);
}

/** Whether two rules say the same, so that the newer one takes the place of the older. Two answers without a rule do, too. */
export function isSameRule(one: CallRule | undefined, other: CallRule | undefined): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

export const storedRule = once(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('exactArguments'), arguments: z.string() }),
    z.strictObject({ kind: z.literal('pathInside'), folder: z.string(), realFolder: z.string() }),
  ]),
);
