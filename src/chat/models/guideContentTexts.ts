import type { ErrorTable } from '../../base/errors.ts';

/** The same about resources and prompts. */
export const guideContentTextTable = {
  helpContent: () =>
    '- **Read a resource, use a prompt:** write `read NAME` or `/NAME`; `list resources` and `list prompts` show what there is. You see what is in it before it becomes part of the conversation.',
  reading: ({ name, server }: { name: string; server: string }) =>
    `Reading ${name} of ${server}. It becomes part of this conversation only if you allow it.`,
  gettingPrompt: ({ name, server }: { name: string; server: string }) =>
    `Getting the prompt ${name} of ${server}. It becomes part of this conversation only if you allow it.`,
  contentSent: ({ name, server }: { name: string; server: string }) =>
    `Done: ${name} of ${server} is part of this conversation now. A model would answer with it in mind. Open the card above to see it.`,
  contentDenied: ({ name, server }: { name: string; server: string }) =>
    `You declined, so the content of ${name} of ${server} was **not sent**: it is no part of this conversation.`,
  contentDeniedBefore: ({ name, server }: { name: string; server: string }) =>
    `The content of ${name} of ${server} was **not read**: an answer that you stored (“Always deny”) refuses it. Take it back with the command “Duplex: Manage Permissions”.`,
  contentFailed: ({ name, server }: { name: string; server: string }) => `${name} of ${server} could not be read. The card above says why.`,
  contentCancelled: ({ name, server }: { name: string; server: string }) => `${name} of ${server} was stopped before it was read.`,
  attachedNow: ({ names }: { names: string }) => `Attached to your message, and part of this conversation now: ${names}.`,
  attachedUnsent: ({ names }: { names: string }) => `Attached to your message, but **not sent**: ${names}.`,
  attachedThing: ({ kind }: { kind: string }) => kind,
  attachedNext: () =>
    'I am **not an AI** and do nothing with it; a model would answer with it in mind. The chips in your message say what they are.',
  resourcesTitle: () => 'These resources can be read:',
  promptsTitle: () => 'These prompts can be used:',
  noResources: () => 'No running server has resources. Add or start one in the MCP Servers view below.',
  noPrompts: () => 'No running server has prompts. Add or start one in the MCP Servers view below.',
  listMore: ({ count }: { count: number }) => `… and ${count} more.`,
  readNext: ({ example }: { example: string }) => `Read one: \`read ${example}\``,
  promptNext: ({ example }: { example: string }) => `Use one: \`/${example}\``,
  unknownResource: ({ name }: { name: string }) => `There is no resource called \`${name}\` on the connected servers.`,
  unknownPrompt: ({ name }: { name: string }) => `There is no prompt called \`${name}\` on the connected servers.`,
  ambiguousContent: ({ name }: { name: string }) => `\`${name}\` means more than one thing here. Write one of these:`,
  unlistedResource: ({ name }: { name: string }) =>
    `No server lists \`${name}\`, but it may be made of a pattern. Say which server shall get this address:`,
  fillTemplate: ({ name, server }: { name: string; server: string }) =>
    `${name} of ${server} stands for many resources. Write its address with values in place of the braces, for example:`,
  promptNeeds: ({ name, server, names }: { name: string; server: string; names: string }) =>
    `The prompt ${name} of ${server} needs ${names}. Write for example:`,
  badPromptArguments: ({ name, server }: { name: string; server: string }) =>
    `I could not read the arguments for the prompt ${name} of ${server}. Write for example:`,
} as const satisfies ErrorTable;
