import { AppError, messageOf, type ErrorArguments } from '../../base/errors.ts';

/** The SDK's errors by shape: bundles may carry separate copies of its classes. */
interface ApiErrorShape {
  readonly status?: number | undefined;
  readonly type?: string | null;
  readonly apiMessage?: string | null;
  readonly requestID?: string | null;
  readonly headers?: Headers;
}

export interface FailedRequest {
  readonly error: AppError;
  /** Set when trying again makes sense: what the provider asked for, or undefined for our own pace. */
  readonly retry?: { readonly reason: 'rateLimited' | 'overloaded'; readonly afterMs: number | undefined };
}

/** How far an answer came: a request may quietly be made again as long as nobody saw any of it. */
export type RequestProgress = 'none' | 'begun' | 'output';

const byStatus: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['model.badRequest', 'The provider rejected the request.'],
  401: ['model.badKey', 'The provider did not accept the API key.'],
  402: ['model.billing', 'The provider reports a billing problem.'],
  403: ['model.forbidden', 'The API key may not use this.'],
  404: ['model.notFound', 'The provider does not know this model or address.'],
  413: ['model.tooLarge', 'The request is too large.'],
  429: ['model.rateLimited', 'The rate limit is reached.'],
  529: ['model.overloaded', 'The provider is overloaded.'],
};

/** Error events inside a stream carry a type where a response has a status. */
const statusByType: Readonly<Record<string, number>> = { overloaded_error: 529, rate_limit_error: 429 };

export interface FailureContext {
  readonly apiKey: string;
  readonly model: string;
  readonly progress: RequestProgress;
  readonly nowMs: number;
}

/** Says what happened without ever repeating the key, and without the SDK's error as a cause: that one holds headers. */
export function toFailedRequest(error: unknown, context: FailureContext): FailedRequest {
  if (error instanceof AppError) {
    return { error };
  }
  const shape: ApiErrorShape = typeof error === 'object' && error !== null ? error : {};
  const detail = redact([shape.apiMessage ?? describe(error), shape.requestID].filter(Boolean).join('\n'), context.apiKey);
  const make = (code: string, message: string, args: ErrorArguments = {}): AppError => new AppError(code, message, { args, detail });
  const status = shape.status ?? statusByType[shape.type ?? ''];
  if (context.progress === 'output' || (status === undefined && (context.progress === 'begun' || typeof shape.type === 'string'))) {
    return { error: make('model.stream', 'The stream broke off in the middle of the answer.') };
  }
  if (status === undefined) {
    return { error: make('model.unreachable', 'The provider could not be reached.') };
  }
  const [code, message] = byStatus[status] ?? byStatusClass(status);
  const failure = make(code, message, { model: context.model, status });
  const reason = status === 429 ? 'rateLimited' : status >= 500 ? 'overloaded' : undefined;
  const isFinal = shape.headers?.get('x-should-retry') === 'false';
  return reason === undefined || isFinal
    ? { error: failure }
    : { error: failure, retry: { reason, afterMs: retryAfter(shape.headers, context.nowMs) } };
}

function byStatusClass(status: number): readonly [code: string, message: string] {
  return status >= 500
    ? ['model.serverError', `The provider failed with status ${status}.`]
    : ['model.badRequest', `The provider rejected the request with status ${status}.`];
}

function retryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const value = headers?.get('retry-after');
  if (typeof value !== 'string') {
    return undefined;
  }
  const milliseconds = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** "fetch failed" says nothing; the reason is further down. */
function describe(error: unknown): string {
  const parts: string[] = [];
  for (let each: unknown = error; each !== undefined && each !== null && parts.length < 4; each = causeOf(each)) {
    parts.push(messageOf(each));
  }
  return [...new Set(parts)].join(': ').slice(0, 1_000);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function redact(text: string, apiKey: string): string {
  return apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
}
