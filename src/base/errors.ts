export type ErrorArguments = Readonly<Record<string, string | number | boolean>>;

export interface ErrorOptions {
  /** Raw text (a server's last words), shown only on request. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A failure with a code to compare and the arguments its sentence needs. The message is that sentence in English, for logs,
 * clients and models; what people read is made in views/ from code and arguments, in their language.
 */
export class AppError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly args: ErrorArguments;
  readonly detail: string | undefined;

  constructor(code: Code, message: string, { args = {}, detail, cause }: ErrorOptions & { readonly args?: ErrorArguments } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.args = args;
    this.detail = detail;
  }
}

/** The failures of one room: by code, the English sentence made of the arguments. */
export type ErrorTable = Readonly<Record<string, (args: never) => string>>;

/** What the sentence of a code needs; nothing for most. */
export type ArgumentsOf<Table extends ErrorTable, Code extends keyof Table> =
  Parameters<Table[Code]> extends [infer Args extends ErrorArguments] ? Args : Readonly<Record<string, never>>;

/** Makes the errors of one table: a code that is not in it, or arguments that are not its own, do not compile. */
export type ErrorMaker<Table extends ErrorTable> = <Code extends keyof Table & string>(
  code: Code,
  ...rest: Parameters<Table[Code]> extends []
    ? [args?: Readonly<Record<string, never>>, options?: ErrorOptions]
    : [args: ArgumentsOf<Table, Code>, options?: ErrorOptions]
) => AppError<Code>;

export function isCodeOf<Table extends ErrorTable>(table: Table, code: string): code is keyof Table & string {
  return Object.hasOwn(table, code);
}

/** The sentence of a code, whatever made the arguments: what is missing in them shows as such. */
export function sentencesOf<Table extends ErrorTable>(table: Table): (code: keyof Table & string, args?: ErrorArguments) => string {
  return (code, args = {}) => (table[code] as (args: ErrorArguments) => string)(args);
}

export function errorMaker<Table extends ErrorTable>(table: Table): ErrorMaker<Table> {
  return (code, args: ErrorArguments = {}, options: ErrorOptions = {}) => {
    return new AppError(code, sentencesOf(table)(code, args), { args, ...options });
  };
}

/** By code, not by class: bundles carry separate copies of classes. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** By name, for the same reason. */
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
