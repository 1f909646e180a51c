export type ErrorArguments = Readonly<Record<string, string | number | boolean>>;

export interface ErrorOptions {
  /** Raw text, such as the last output of a server; it is shown only on request. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A failure with a code to compare and the arguments its sentence needs. The message is that sentence in English, for logs,
 * clients and models; views/ says it in the person's language.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly args: ErrorArguments;
  readonly detail: string | undefined;
  /** What the message was made of; undefined where nobody translates it. */
  readonly sentence: Sentence | undefined;

  constructor(code: Code, message: string, { args = {}, detail, cause, sentence }: AppErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.args = args;
    this.detail = detail;
    this.sentence = sentence;
  }
}

interface AppErrorOptions extends ErrorOptions {
  readonly args?: ErrorArguments;
  readonly sentence?: Sentence | undefined;
}

/**
 * A text for people, once, in English: each `{name}` in it stands for an argument. It is what translators translate. Where an
 * argument is not always known, or is empty, there are two texts; where one is a code of its own, `words` says it in words.
 */
export type Sentence = string | SentenceChoice | WordedSentence;

interface SentenceChoice {
  /** The name of the argument that decides. */
  readonly ifGiven: string;
  readonly text: string;
  readonly otherwise: string;
}

interface WordedSentence {
  readonly text: string;
  readonly words: Readonly<Record<string, (value: string, say: Say) => string>>;
}

/** Says a sentence in one language. */
export type Say = (sentence: Sentence, args?: ErrorArguments) => string;

/** What a room says to people, by code. Everything in such a table is gathered for translators. */
export type SentenceTable = Readonly<Record<string, Sentence>>;

/** The failures of one room, by code. What only clients, models and logs read may be made by a function; nobody translates that. */
export type ErrorTable = Readonly<Record<string, Sentence | ((args: never) => string)>>;

/** The names in braces. `${name}` is a variable that people write, and `{one, two}` an object: neither is an argument. */
type PlaceholdersOf<Text extends string> = Text extends `${infer Before}{${infer Name}}${infer Rest}`
  ? (Before extends `${string}$` ? never : Name extends `${string}${' ' | ':'}${string}` ? never : Name) | PlaceholdersOf<Rest>
  : never;

type Given<Name extends string> = ErrorArguments & { readonly [N in Name]: string | number | boolean };
type MaybeGiven<Name extends string> = { readonly [N in Name]?: string | number | boolean };

/** What a sentence needs. More may be given, for whoever reads the arguments. */
type ArgumentsOfSentence<Entry> = Entry extends string
  ? Given<PlaceholdersOf<Entry>>
  : Entry extends SentenceChoice
    ? Given<Exclude<PlaceholdersOf<Entry['otherwise']>, Entry['ifGiven']>> & MaybeGiven<PlaceholdersOf<Entry['text']>>
    : Entry extends WordedSentence
      ? Given<PlaceholdersOf<Entry['text']>>
      : Entry extends (args: infer Args extends ErrorArguments) => string
        ? Args
        : ErrorArguments;

/** The arguments that the sentence of a code needs; most need none. */
export type ArgumentsOf<Table extends ErrorTable, Code extends keyof Table> = ArgumentsOfSentence<Table[Code]>;

/** Makes the errors of one table: a code that is not in it, or arguments that are missing, do not compile. */
export type ErrorMaker<Table extends ErrorTable> = <Code extends keyof Table & string>(
  code: Code,
  ...rest: ErrorArguments extends ArgumentsOf<Table, Code>
    ? [args?: ErrorArguments, options?: ErrorOptions]
    : [args: ArgumentsOf<Table, Code>, options?: ErrorOptions]
) => AppError<Code>;

/** Makes the `Say` of one language: `translate` finds the text that stands for an English one, and fills in the arguments. */
export function sayBy(translate: (english: string, args: ErrorArguments) => string): Say {
  const say: Say = (sentence, args = {}) => {
    if (typeof sentence === 'string') {
      return translate(sentence, args);
    }
    if ('words' in sentence) {
      const worded = Object.entries(sentence.words).map(([name, toWords]) => [name, toWords(String(args[name]), say)]);
      return translate(sentence.text, { ...args, ...(Object.fromEntries(worded) as ErrorArguments) });
    }
    const deciding = args[sentence.ifGiven];
    return translate(deciding === undefined || deciding === '' ? sentence.otherwise : sentence.text, args);
  };
  return say;
}

/** What is missing in the arguments stays as it stands in the text. */
export const sayInEnglish: Say = sayBy((english, args) =>
  english.replace(/\{([^{}]+)\}/g, (whole, name: string) => (Object.hasOwn(args, name) ? String(args[name]) : whole)),
);

export function isCodeOf<Table extends ErrorTable>(table: Table, code: string): code is keyof Table & string {
  return Object.hasOwn(table, code);
}

/** Says the sentences of a table by their codes, whatever made the arguments. */
export function sentencesOf<Table extends ErrorTable>(
  table: Table,
  say: Say = sayInEnglish,
): (code: keyof Table & string, args?: ErrorArguments) => string {
  return (code, args = {}) => {
    const entry: Sentence | ((given: never) => string) | undefined = table[code];
    return typeof entry === 'function' ? (entry as (given: ErrorArguments) => string)(args) : say(entry ?? code, args);
  };
}

export function errorMaker<Table extends ErrorTable>(table: Table): ErrorMaker<Table> {
  return (code, args: ErrorArguments = {}, options: ErrorOptions = {}) => {
    const entry: Sentence | ((given: never) => string) | undefined = table[code];
    const sentence = typeof entry === 'function' ? undefined : entry;
    return new AppError(code, sentencesOf(table)(code, args), { args, sentence, ...options });
  };
}

/** Whether an error has this code. Codes are compared and not classes, because bundles carry separate copies of classes. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error is one of ours. Its name is compared and not its class, because bundles carry separate copies of classes. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError';
}

export function toAppError(error: unknown, fallbackCode: string): AppError {
  return isAppError(error) ? error : new AppError(fallbackCode, messageOf(error), { cause: error });
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** For the default branch of a switch over a union: a new member fails to compile. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
