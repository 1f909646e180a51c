import { AppError, isAppError } from '../../../base/errors.ts';
import type { DebugFrame, DebugPort, DebugStop, DebugVariable, SessionOutput } from '../ports/debugPort.ts';
import { requireShown, type Visibility } from './visibility.ts';

/**
 * Wraps the debugger: withheld files are not named, and secrets in values and output are redacted. Values are redacted whole and
 * with their names, before anybody cuts them.
 */
export function withholdingDebug(debug: DebugPort, visibility: Visibility): DebugPort {
  const stopOf = (stop: DebugStop): Promise<DebugStop> => shownStop(stop, visibility);
  return {
    isAvailable: () => debug.isAvailable(),
    onDidChangeAvailable: debug.onDidChangeAvailable,
    list: async (owner) => {
      const { breakpoints, ...rest } = await debug.list(owner);
      return { ...rest, breakpoints: breakpoints.filter(({ path }) => visibility.isShown(path)) };
    },
    setBreakpoints: async (owner, path, wanted) => {
      requireShown(path, visibility);
      return debug.setBreakpoints(owner, path, wanted);
    },
    addBreakpoints: (owner, wanted, onPassed) => {
      wanted.forEach(({ path }) => requireShown(path, visibility));
      return debug.addBreakpoints(owner, wanted, onPassed);
    },
    findLaunch: (request) => debug.findLaunch(request),
    start: async (owner, launch, wait, signal) => stopOf(await debug.start(owner, launch, wait, signal)),
    findSession: (owner, sessionId) => debug.findSession(owner, sessionId),
    share: (owner, sessionId) => debug.share(owner, sessionId),
    step: async (owner, request, wait, signal) => stopOf(await debug.step(owner, request, wait, signal)),
    readState: async (owner, request, signal) => {
      const { stop, stack, variables, isPartial } = await debug.readState(owner, request, signal);
      return {
        stop: await stopOf(stop),
        stack: stack.map((frame) => shownFrame(frame, visibility)),
        variables: await shownVariables(variables, visibility),
        isPartial,
      };
    },
    evaluate: async (owner, request, signal) => {
      try {
        const { value, ...rest } = await debug.evaluate(owner, request, signal);
        return { ...rest, value: await redactedValue(request.expression, value, visibility) };
      } catch (error) {
        throw isAppError(error) ? new AppError(error.code, visibility.redact(error.message)) : error;
      }
    },
    endOwners: (isGone) => debug.endOwners(isGone),
  };
}

async function shownStop(
  { path, line, stack, changed, output, exception, reason, ...rest }: DebugStop,
  visibility: Visibility,
): Promise<DebugStop> {
  const isShown = path !== undefined && visibility.isShown(path);
  return {
    ...rest,
    reason: visibility.redact(reason),
    ...(exception !== undefined && { exception: await visibility.redactPart(exception, { from: 0, to: exception.length }) }),
    ...(isShown && { path, ...(line !== undefined && { line }) }),
    stack: stack.map((frame) => shownFrame(frame, visibility)),
    changed: await shownVariables(changed, visibility),
    output: await Promise.all(output.map((each) => shownOutput(each, visibility))),
  };
}

/** What was told before is looked at, too, and goes no further: a program may write a key line by line, and stop after each. */
async function shownOutput({ kept, newFrom }: SessionOutput, { redactPart }: Visibility): Promise<SessionOutput> {
  return { kept: await redactPart(kept, { from: newFrom, to: kept.length }), newFrom: 0 };
}

/** A frame in a withheld file keeps its name alone. */
function shownFrame({ name, path, line }: DebugFrame, { isShown }: Visibility): DebugFrame {
  return path !== undefined && isShown(path) ? { name, path, ...(line !== undefined && { line }) } : { name };
}

async function shownVariables(variables: readonly DebugVariable[], visibility: Visibility): Promise<readonly DebugVariable[]> {
  const shown: DebugVariable[] = [];
  for (const { name, type, value } of variables) {
    shown.push({
      name: visibility.redact(name),
      ...(type !== undefined && { type }),
      ...(value !== undefined && { value: await redactedValue(name, value, visibility) }),
    });
  }
  return shown;
}

/** A value is looked at beside its name, which may be what tells that it is a secret. */
async function redactedValue(name: string, value: string, { redactPart }: Visibility): Promise<string> {
  const before = `${name.slice(-maxName).split(/[.\n]/).at(-1) ?? ''} = `;
  return redactPart(before + value, { from: before.length, to: before.length + value.length });
}

/** The most characters of a name that are looked at. */
const maxName = 200;
