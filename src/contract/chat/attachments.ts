import * as z from 'zod';

/** What a person can attach to a message. Stored with conversations: additive only. */
export const attachmentKind = z.enum([
  'file',
  'folder',
  'selection',
  'editors',
  'diagnostics',
  'tests',
  'terminal',
  'changes',
  'image',
  'resource',
  'prompt',
  /** The result of a tool that the person ran by hand. */
  'result',
]);
export type AttachmentKind = z.infer<typeof attachmentKind>;

/** Something attached, shown as a chip: above the text while it waits, in the message once it was sent. Stored with conversations: additive only. */
export const attachment = z.object({
  id: z.string(),
  kind: attachmentKind,
  /** A path, an address, the name of a prompt; empty where the kind says it all. */
  name: z.string(),
  /** The server whose resource or prompt it is. */
  server: z.string().optional(),
  /** The size of the attachment; unknown before it was read. */
  bytes: z.number().optional(),
  /** How many texts in it look like secrets. */
  secrets: z.number().optional(),
  /** Whether it is one of the files that clients are not shown: then the person is asked before it is sent. */
  isWithheld: z.boolean().optional(),
  /** Whether it is a PDF, which not every model takes. */
  isPdf: z.boolean().optional(),
  /** Whether only a part of it fits. */
  isCut: z.boolean().optional(),
  /** Its source has changed since it was attached. `live`: what is there now is sent. `captured`: what was there then is sent. */
  changed: z.enum(['live', 'captured']).optional(),
  /** What became of the attachment, once its message was sent. */
  outcome: z.enum(['sent', 'failed', 'denied', 'cancelled']).optional(),
  /** Why it cannot be read now, in one sentence. */
  problem: z.string().optional(),
});
export type Attachment = z.infer<typeof attachment>;

/** How many things can be attached to one message. */
export const maxAttachments = 20;

const lineRange = z.object({ start: z.number().int().positive(), end: z.number().int().positive() });
const ofServer = { serverId: z.string(), server: z.string(), name: z.string() };
/**
 * Something that was attached and is not sent yet, as it is kept over a reload: where it is, never what is in it. Stored with
 * conversations: additive only.
 */
export const keptAttachment = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['file', 'folder']), path: z.string() }),
  z.object({ kind: z.literal('selection'), path: z.string(), lines: lineRange }),
  z.object({ kind: z.literal('diagnostics'), path: z.string().optional(), lines: lineRange.optional() }),
  z.object({ kind: z.literal('changes'), path: z.string().optional() }),
  z.object({ kind: z.literal('editors') }),
  z.object({ kind: z.literal('resource'), ...ofServer, uri: z.string() }),
  z.object({ kind: z.literal('prompt'), ...ofServer, description: z.string(), arguments: z.record(z.string(), z.string()) }),
  /** The attachment cannot be read once more. */
  z.object({ kind: z.literal('gone'), what: attachmentKind, name: z.string() }),
]);
export type KeptAttachment = z.infer<typeof keptAttachment>;
export type GoneAttachment = Extract<KeptAttachment, { readonly kind: 'gone' }>;
/** The longest base64 text of a file that a page hands over. */
const maxImageData = 8_000_000;

const suggestionTrigger = z.enum(['@', '/', '#']);
export type SuggestionTrigger = z.infer<typeof suggestionTrigger>;

/** One line of the list of suggestions below the caret. */
const suggestion = z.object({
  id: z.string(),
  kind: z.enum([...attachmentKind.options, 'template', 'pick', 'tool']),
  name: z.string(),
  /** Where it is, or what it is for, in the words of whoever offers it. */
  detail: z.string(),
  server: z.string().optional(),
  /** How many things the line stands for. */
  count: z.number().optional(),
  isWithheld: z.boolean().optional(),
  /** What the person has chosen about the tool, if it is one. */
  choice: z.enum(['pinned', 'leftOut']).optional(),
});
export type ContextSuggestion = z.infer<typeof suggestion>;
/** How many suggestions are listed below the caret. */
export const maxSuggestions = 30;

/** The form that a prompt, or a template of resource addresses, needs before it can be attached. */
const argumentsForm = z.object({
  id: z.string(),
  kind: z.enum(['prompt', 'template']),
  name: z.string(),
  server: z.string(),
  description: z.string(),
  fields: z.array(z.object({ name: z.string(), description: z.string(), isRequired: z.boolean() })),
});
export type ArgumentsForm = z.infer<typeof argumentsForm>;

/** What is shown around the text being written. */
export const composerContext = z.object({ attachments: z.array(attachment), form: argumentsForm.optional() });
export type ComposerContext = z.infer<typeof composerContext>;

/** The longest name of an attachment or an argument. */
const maxNameLength = 1_000;
const values = z.record(z.string().max(maxNameLength), z.string().max(100_000));

export const contextToHost = {
  /** Asks for suggestions; an earlier request is cancelled. */
  'context/suggest': z.object({ requestId: z.number().int(), trigger: suggestionTrigger, query: z.string().max(200) }),
  /** The list of suggestions is closed. */
  'context/leave': z.object({}),
  /** Chooses a suggestion by its id. */
  'context/choose': z.object({ id: z.string().max(200) }),
  'context/remove': z.object({ id: z.string().max(200) }),
  /** Attaches an image or a PDF. */
  'context/image': z.object({ name: z.string().max(maxNameLength), mimeType: z.string().max(100), data: z.string().max(maxImageData) }),
  /** Asks for an image that was sent with a message. */
  'context/picture': z.object({ itemId: z.string().max(200), id: z.string().max(200) }),
  /** Attaches what was dropped from the Explorer or from elsewhere in the editor. */
  'context/drop': z.object({ uris: z.array(z.string().max(8_192)).max(maxAttachments) }),
  /** Asks for completions of an argument; an earlier request is cancelled. */
  'context/complete': z.object({
    requestId: z.number().int(),
    formId: z.string().max(200),
    argument: z.string().max(maxNameLength),
    values,
  }),
  'context/fill': z.object({ formId: z.string().max(200), values }),
  'context/closeForm': z.object({}),
} as const;

export const contextToView = {
  /** The answer to the request of that number. */
  'context/suggestions': z.object({ requestId: z.number().int(), items: z.array(suggestion) }),
  'context/completions': z.object({ requestId: z.number().int(), values: z.array(z.string()) }),
  'context/picture': z.object({ id: z.string(), mimeType: z.string(), data: z.string() }),
} as const;
