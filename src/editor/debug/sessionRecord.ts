// debug/: the debugger as clients use it. A record follows one session by the messages of its debug adapter (this file);
// debugSessions.ts knows all sessions, debugValues.ts asks for frames and variables, launches.ts finds what could be started,
// breakpoints.ts keeps whose breakpoint is whose, logMarks.ts hears of log points, and editorDebug.ts is the port.
import { BoundedText } from '../../base/boundedText.ts';
import { Emitter } from '../../base/events.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { DebugStateName } from '../../server/seen/ports/debugPort.ts';

/** What a session wrote is kept up to these numbers of characters, at the beginning and at the end. */
const outputHead = 20_000;
const outputTail = 80_000;
/** The most characters of a reason or of another text in a message of an adapter. */
const maxText = 2_000;

/** The requests after which a program runs on. */
const resuming: ReadonlySet<string> = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  'restartFrame',
]);

/** Where a program stopped, as its adapter said. */
export interface RecordedStop {
  readonly reason: string;
  readonly text?: string | undefined;
  readonly threadId?: number | undefined;
}

/** Follows one debug session by what its adapter sends and receives. It knows no editor. */
export class SessionRecord {
  readonly #changed = new Emitter<void>();
  readonly #output = new BoundedText(outputHead, outputTail);
  readonly #asked = new Map<number, string>();
  readonly #threads = new Set<number>();
  #state: DebugStateName = 'running';
  #isConfiguredLast = false;
  #hasBegun = false;
  #stop: RecordedStop | undefined;
  #stops = 0;
  #resumes = 0;
  #reason: string | undefined;
  #exitCode: number | undefined;
  readonly #hear: (written: string) => string;

  /** `hear` gets what the session writes, and returns what is kept of it. */
  constructor(hear: (written: string) => string = (written) => written) {
    this.#hear = hear;
  }

  /** Fires when the state may have changed. */
  readonly onDidChange = this.#changed.event;

  get state(): DebugStateName {
    return this.#state;
  }

  /** Whether the adapter has let the program run; until then it may forget that it was asked to pause it. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The last stop, as long as the program stands there. */
  get stop(): RecordedStop | undefined {
    return this.#state === 'stopped' ? this.#stop : undefined;
  }

  /** How often it stopped so far. */
  get stops(): number {
    return this.#stops;
  }

  /** How often it was told to run on so far. */
  get resumes(): number {
    return this.#resumes;
  }

  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Why it ended, if anybody said so. */
  get endReason(): string | undefined {
    return this.#reason;
  }

  /** A thread that the adapter named, for when nothing has stopped. */
  get anyThread(): number | undefined {
    return [...this.#threads][0];
  }

  /** How many characters it has written so far. */
  get written(): number {
    return this.#output.total;
  }

  /** What it wrote after a position. */
  outputSince(position: number): string {
    return this.#output.read((leftOut) => `[… ${leftOut} characters left out …]\n`, position);
  }

  /** Takes a message on its way to the adapter. */
  didAsk(message: unknown): void {
    if (!isJsonObject(message) || message['type'] !== 'request' || typeof message['command'] !== 'string') {
      return;
    }
    const { command, seq } = message;
    if (resuming.has(command)) {
      this.#resumes += 1;
      if (typeof seq === 'number') {
        this.#asked.set(seq, command);
      }
      // The adapter may tell of the next stop before it answers.
      this.#become('running');
    }
  }

  /** Takes a message of the adapter. */
  didSend(message: unknown): void {
    if (!isJsonObject(message)) {
      return;
    }
    const body = isJsonObject(message['body']) ? message['body'] : {};
    if (message['type'] === 'event') {
      this.#didTell(message['event'], body);
    } else if (message['type'] === 'response') {
      this.#didAnswer(message, body);
    }
  }

  write(text: string): void {
    this.#output.append(text);
  }

  /** The session is over. What was said first about the reason counts. */
  end(reason?: string): void {
    this.#reason ??= reason;
    this.#asked.clear();
    this.#become('ended');
  }

  #didTell(event: unknown, body: JsonObject): void {
    if (event === 'thread' || event === 'stopped' || event === 'continued') {
      this.#begin();
    }
    switch (event) {
      case 'stopped':
        this.#didStop(body);
        break;
      case 'continued':
        this.#become('running');
        break;
      case 'output':
        this.#didWrite(body);
        break;
      case 'thread':
        this.#didChangeThread(body);
        break;
      case 'exited':
        if (typeof body['exitCode'] === 'number') {
          this.#exitCode = body['exitCode'];
        }
        break;
      case 'terminated':
        this.end();
        break;
      default:
    }
  }

  #begin(): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#changed.fire();
    }
  }

  #didStop({ reason, text, description, threadId }: JsonObject): void {
    const words = textOf(text) ?? textOf(description);
    this.#stop = {
      reason: textOf(reason) ?? 'stopped',
      ...(words !== undefined && { text: words }),
      ...(typeof threadId === 'number' && { threadId }),
    };
    this.#stops += 1;
    this.#become('stopped');
  }

  #didWrite({ category, output }: JsonObject): void {
    if (category !== 'telemetry' && typeof output === 'string') {
      this.#output.append(this.#hear(output.slice(0, outputTail)));
    }
  }

  #didChangeThread({ reason, threadId }: JsonObject): void {
    if (typeof threadId === 'number') {
      if (reason === 'exited') {
        this.#threads.delete(threadId);
      } else if (this.#threads.size < maxThreads) {
        this.#threads.add(threadId);
      }
    }
  }

  #didAnswer(message: JsonObject, body: JsonObject): void {
    const { command, success, request_seq: seq } = message;
    const resumed = typeof seq === 'number' ? this.#asked.get(seq) : undefined;
    if (typeof seq === 'number') {
      this.#asked.delete(seq);
    }
    if (success !== false) {
      this.#isConfiguredLast ||= command === 'initialize' && body['supportsConfigurationDoneRequest'] === true;
      if (command === 'configurationDone' || (!this.#isConfiguredLast && (command === 'launch' || command === 'attach'))) {
        this.#begin();
      }
      return;
    }
    if (resumed !== undefined && this.#state === 'running' && this.#stop !== undefined) {
      this.#become('stopped'); // it did not run on
    } else if (command === 'launch' || command === 'attach' || command === 'initialize') {
      this.end(failureOf(message, body));
    }
  }

  #become(state: DebugStateName): void {
    if (this.#state !== 'ended') {
      this.#state = state;
      this.#changed.fire();
    }
  }
}

/** The most threads that are kept in mind. */
const maxThreads = 1_000;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, maxText) : undefined;
}

/** Says why a request failed, as adapters do: a short message, or a format with variables. */
function failureOf({ message }: JsonObject, body: JsonObject): string {
  const error = isJsonObject(body['error']) ? body['error'] : {};
  const variables = isJsonObject(error['variables']) ? error['variables'] : {};
  const format = textOf(error['format'])?.replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const value = variables[name];
    return typeof value === 'string' ? value.slice(0, maxText) : whole;
  });
  return (format ?? textOf(message) ?? 'The debug adapter refused without saying why.').slice(0, maxText);
}
