import * as z from 'zod';
import { formGroup, argumentRefusal } from '../forms/formFields.ts';
import { toolResultItem } from '../chat/chatState.ts';
import { valueSources } from './pageLimits.ts';
import { claim } from '../questions/rolesAndClaims.ts';

/** JSON text, as long as anybody could want to type or paste. */
const argumentsText = z.string().max(1_000_000);
export const maxPresetName = 80;

/** A tool as the host knows it. */
const runnerKey = z.object({ serverId: z.string().max(2_000), tool: z.string().max(2_000) });

/** What a page stores for itself, for its tab after a reload: never arguments that seem to hold a secret. Trusted by nobody. */
export const runnerStored = z.object({ key: runnerKey, text: argumentsText.optional() });
export type RunnerStored = z.infer<typeof runnerStored>;

/** The tool that a tab of Run Tool is for. Texts are safe to show. */
const runnerTool = z.object({
  /** What the page keeps, so that the tab is there again after a reload. */
  key: runnerKey,
  server: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string(),
  claims: z.array(claim()),
  /** None where its schema is larger than a form can be. */
  form: formGroup.optional(),
  /** Whether it was seen since the window was opened; else there is but its name. */
  isKnown: z.boolean(),
  /** To begin with: what the schema gives. */
  arguments: z.string(),
  /** `stopped`: it is started when the tool is run. `gone`: nothing of that name is there any more. */
  state: z.enum(['ready', 'starting', 'stopped', 'gone']),
});
export type RunnerTool = z.infer<typeof runnerTool>;

const progress = z.object({ value: z.number(), total: z.number().optional(), message: z.string().optional() });

/** Where the runs of the tool stand: the last one stays to be looked at. */
const runnerRun = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** For the server to start, or for permission. */
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('running'), progress: progress.optional() }),
  z.object({
    kind: z.literal('ended'),
    /** `failed` also when the tool itself reports an error. */
    ending: z.enum(['succeeded', 'failed', 'denied', 'cancelled']),
    items: z.array(toolResultItem),
    bytes: z.number(),
    /** It is longer than what is shown of it. */
    isCut: z.boolean().optional(),
    elapsedMs: z.number().optional(),
    /** One sentence, when there is no result. */
    error: z.string().optional(),
    /** JSON text, as it went out. */
    arguments: z.string(),
    /** Why it is not among the earlier runs. */
    notKept: z.enum(['secret', 'tooLarge']).optional(),
  }),
]);
export type RunnerRun = z.infer<typeof runnerRun>;

/** What was run before, newest first, and what was saved under a name. */
const runnerKept = z.object({
  runs: z.array(z.object({ id: z.string(), at: z.number(), arguments: z.string(), ending: z.enum(['succeeded', 'failed', 'cancelled']) })),
  presets: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  /** What was taken away last, and can be put back. */
  removed: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('preset'), name: z.string() }),
      z.object({ kind: z.literal('runs'), count: z.number().int() }),
    ])
    .optional(),
});
export type RunnerKept = z.infer<typeof runnerKept>;

const id = z.string().max(100);

/** A tab of Run Tool: intents only. */
export const runnerToHost = {
  ready: z.object({}),
  'runner/run': z.object({ arguments: argumentsText }),
  'runner/stop': z.object({}),
  /** With the arguments of the result that is shown. */
  'runner/again': z.object({}),
  'runner/sendToChat': z.object({}),
  'runner/open': z.object({}),
  'runner/value': z.object({ requestId: z.number().int(), source: z.enum(valueSources) }),
  /** Holds what is typed against the tool's whole schema; ends the check before it. */
  'runner/check': z.object({ requestId: z.number().int(), arguments: argumentsText }),
  /** The host asks for the name. */
  'runner/savePreset': z.object({ arguments: argumentsText }),
  'runner/removePreset': z.object({ id }),
  'runner/forgetRuns': z.object({}),
  'runner/undoRemove': z.object({}),
  /** One that the result names. */
  'runner/openResource': z.object({ uri: z.string().max(8_192) }),
  'link/open': z.object({ href: z.string().max(8_192) }),
} as const;

export const runnerToView = {
  'runner/tool': runnerTool,
  'runner/run': runnerRun,
  'runner/kept': runnerKept,
  /** `mayKeep`: they hold nothing that no file may have. */
  'runner/checked': z.object({ requestId: z.number().int(), refusals: z.array(argumentRefusal), mayKeep: z.boolean() }),
  /** The answer to the question of that number: a value, or in one sentence why there is none. */
  'runner/value': z.object({ requestId: z.number().int(), text: z.string().optional(), problem: z.string().optional() }),
} as const;
