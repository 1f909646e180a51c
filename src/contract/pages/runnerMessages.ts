import * as z from 'zod';
import { formGroup, argumentRefusal } from '../forms/formFields.ts';
import { toolResultItem } from '../chat/chatState.ts';
import { valueSources } from './pageLimits.ts';
import { claim } from '../questions/rolesAndClaims.ts';

/** Arguments as JSON text, as long as anybody could want to type or paste. */
const argumentsText = z.string().max(1_000_000);
/** The longest name of saved arguments. */
export const maxPresetName = 80;

/** How the extension host identifies a tool. */
const runnerKey = z.object({ serverId: z.string().max(2_000), tool: z.string().max(2_000) });

/** What a page stores for its tab after a reload: never arguments that seem to hold a secret. The extension host does not trust it. */
export const runnerStored = z.object({ key: runnerKey, text: argumentsText.optional() });
export type RunnerStored = z.infer<typeof runnerStored>;

/** The tool that a tab of Run Tool is for. All texts are safe to show. */
const runnerTool = z.object({
  /** The page stores this, so that the tab is there again after a reload. */
  key: runnerKey,
  server: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string(),
  claims: z.array(claim()),
  /**
   * Identifies the definition that is shown. A press of Run is the permission for it; left out where the person is asked in any case.
   */
  definition: z.string().optional(),
  /** The person has read exactly this definition before, so its description may stay folded. */
  isRead: z.boolean().optional(),
  /** The form for its arguments; left out where its schema is too large for a form. */
  form: formGroup.optional(),
  /** Whether the tool was seen since the window was opened; otherwise only its name is known. */
  isKnown: z.boolean(),
  /** The arguments to begin with, from the defaults of the schema. */
  arguments: z.string(),
  /** The state of the server. `stopped`: it is started when the tool is run. `gone`: there is no such server or tool any more. */
  state: z.enum(['ready', 'starting', 'stopped', 'gone']),
});
export type RunnerTool = z.infer<typeof runnerTool>;

const progress = z.object({ value: z.number(), total: z.number().optional(), message: z.string().optional() });

/** The run that is shown: the one that is under way, or the last one, which stays to be looked at. */
const runnerRun = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** The run waits for the server to start, or for permission. */
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('running'), progress: progress.optional() }),
  z.object({
    kind: z.literal('ended'),
    /** How it ended; `failed` also when the tool itself reports an error. */
    ending: z.enum(['succeeded', 'failed', 'denied', 'cancelled']),
    items: z.array(toolResultItem),
    bytes: z.number(),
    /** The result is longer than what is shown of it. */
    isCut: z.boolean().optional(),
    elapsedMs: z.number().optional(),
    /** Why there is no result, in one sentence. */
    error: z.string().optional(),
    /** The arguments as they were sent, as JSON text. */
    arguments: z.string(),
    /** The server gave the tool a page, which can be shown with this result. */
    hasApp: z.boolean().optional(),
    /** Why this run is not kept among the earlier runs. */
    notKept: z.enum(['secret', 'tooLarge']).optional(),
  }),
]);
export type RunnerRun = z.infer<typeof runnerRun>;

/** The earlier runs, newest first, and the arguments that were saved under a name. */
const runnerKept = z.object({
  runs: z.array(z.object({ id: z.string(), at: z.number(), arguments: z.string(), ending: z.enum(['succeeded', 'failed', 'cancelled']) })),
  presets: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  /** What was removed last and can be put back. */
  removed: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('preset'), name: z.string() }),
      z.object({ kind: z.literal('runs'), count: z.number().int() }),
    ])
    .optional(),
});
export type RunnerKept = z.infer<typeof runnerKept>;

const id = z.string().max(100);

/** The messages from a tab of Run Tool to the extension host. They are intents and decide nothing. */
export const runnerToHost = {
  ready: z.object({}),
  /** `definition` is the one that was shown when Run was pressed, armed, below all of it. Without it the person is asked. */
  'runner/run': z.object({ arguments: argumentsText, definition: z.string().max(200).optional() }),
  'runner/stop': z.object({}),
  /** Runs the tool again with the arguments of the result that is shown. */
  'runner/again': z.object({}),
  'runner/sendToChat': z.object({}),
  'runner/openApp': z.object({}),
  'runner/open': z.object({}),
  'runner/value': z.object({ requestId: z.number().int(), source: z.enum(valueSources) }),
  /** Checks what is typed against the tool's whole schema; an earlier check is given up. */
  'runner/check': z.object({ requestId: z.number().int(), arguments: argumentsText }),
  /** Saves the arguments under a name, for which the extension host asks. */
  'runner/savePreset': z.object({ arguments: argumentsText }),
  'runner/removePreset': z.object({ id }),
  'runner/forgetRuns': z.object({}),
  'runner/undoRemove': z.object({}),
  /** Opens a resource that the result names. */
  'runner/openResource': z.object({ uri: z.string().max(8_192) }),
  'link/open': z.object({ href: z.string().max(8_192) }),
} as const;

export const runnerToView = {
  'runner/tool': runnerTool,
  'runner/run': runnerRun,
  'runner/kept': runnerKept,
  /** The result of a check. `mayKeep`: the arguments hold no secret, so they may be stored in a file. */
  'runner/checked': z.object({ requestId: z.number().int(), refusals: z.array(argumentRefusal), mayKeep: z.boolean() }),
  /** The answer to the request of that number: a value, or one sentence that says why there is none. */
  'runner/value': z.object({ requestId: z.number().int(), text: z.string().optional(), problem: z.string().optional() }),
} as const;
