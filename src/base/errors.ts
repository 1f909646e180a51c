export type ErrorArguments = Readonly<Record<string, string | number | boolean>>;

/**
 * A failure with a code to compare and a sentence for people. Views translate by code and arguments; the message is the
 * English sentence for logs and for peers. `detail` is raw text (a server's last words) shown only on request.
 */
export class AppError extends Error {
  readonly code: string;
  readonly args: ErrorArguments;
  readonly detail: string | undefined;

  constructor(code: string, message: string, options: { args?: ErrorArguments; detail?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.args = options.args ?? {};
    this.detail = options.detail;
  }
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
