import { isAppError, messageOf, type AppError } from '../../base/errors.ts';
import { modelError } from './modelErrors.ts';
import type { WaitReason } from './modelProvider.ts';

/** The shape of the SDK's errors. Its classes cannot be compared, because bundles may hold separate copies of them. */
interface ApiErrorShape {
  readonly status?: number | undefined;
  readonly type?: string | null;
  readonly apiMessage?: string | null;
  readonly requestID?: string | null;
  readonly headers?: Headers;
}

export interface FailedRequest {
  readonly error: AppError;
  /** Why trying again makes sense, if it does. `afterMs` is the pause that the provider asked for, if any. */
  readonly retry?: { readonly reason: WaitReason; readonly afterMs: number | undefined };
}

/** How far an answer came: a request may be made again as long as nobody saw any of its answer. */
export type RequestProgress = 'none' | 'begun' | 'output';

const byStatus = {
  400: 'model.badRequest',
  401: 'model.badKey',
  402: 'model.billing',
  403: 'model.forbidden',
  413: 'model.tooLarge',
  429: 'model.rateLimited',
  529: 'model.overloaded',
} as const;

/** Failures that share a status are told apart by their message. */
const badRequests = [
  { words: /prompt is too long|exceed(s|ed)? (the )?(context|maximum)|too many total text bytes/i, code: 'model.tooLong' },
  { words: /credit balance/i, code: 'model.billing' },
] as const;

/** Error events inside a stream carry a type where a response has a status. */
const statusByType: Readonly<Record<string, number>> = { overloaded_error: 529, rate_limit_error: 429, api_error: 500 };

export interface FailureContext {
  readonly apiKey: string;
  readonly model: string;
  readonly progress: RequestProgress;
  readonly nowMs: number;
}

/** Explains a failed request. It never repeats the key, and does not keep the SDK's error as a cause, because that holds headers. */
export function toFailedRequest(error: unknown, context: FailureContext): FailedRequest {
  if (isAppError(error)) {
    return { error };
  }
  const shape: ApiErrorShape = typeof error === 'object' && error !== null ? error : {};
  const detail = redact([shape.apiMessage ?? describe(error, context.apiKey), shape.requestID].filter(Boolean).join('\n'), context.apiKey);
  const status = shape.status ?? statusByType[shape.type ?? ''];
  if (context.progress === 'output' || (status === undefined && (context.progress === 'begun' || typeof shape.type === 'string'))) {
    return { error: modelError('model.stream', {}, { detail }) };
  }
  if (status === undefined) {
    return { error: modelError('model.unreachable', {}, { detail }) };
  }
  const failure = failureOf(status, context.model, detail);
  const reason = status === 429 ? 'rateLimited' : status === 529 ? 'overloaded' : status >= 500 ? 'serverError' : undefined;
  const isFinal = shape.headers?.get('x-should-retry') === 'false';
  return reason === undefined || isFinal
    ? { error: failure }
    : { error: failure, retry: { reason, afterMs: retryAfter(shape.headers, context.nowMs) } };
}

function failureOf(status: number, model: string, detail: string): AppError {
  if (status === 404) {
    return modelError('model.notFound', { model }, { detail });
  }
  const named = status === 400 ? badRequests.find(({ words }) => words.test(detail)) : undefined;
  if (named !== undefined) {
    return modelError(named.code, {}, { detail });
  }
  const known = Object.hasOwn(byStatus, status) ? byStatus[status as keyof typeof byStatus] : undefined;
  return modelError(known ?? (status >= 500 ? 'model.serverError' : 'model.badRequest'), {}, { detail });
}

function retryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const value = headers?.get('retry-after');
  if (typeof value !== 'string') {
    return undefined;
  }
  const milliseconds = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** The messages of an error and its causes, without the key: "fetch failed" alone says nothing. */
function describe(error: unknown, apiKey: string): string {
  const parts: string[] = [];
  for (let each: unknown = error; each !== undefined && each !== null && parts.length < 4; each = causeOf(each)) {
    parts.push(messageOf(each));
  }
  // A key that is cut would not be recognised any more.
  return redact([...new Set(parts)].join(': '), apiKey).slice(0, 1_000);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function redact(text: string, apiKey: string): string {
  return apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
}
