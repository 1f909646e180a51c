import { type ErrorArguments, isCodeOf, type Say, type SentenceTable, sentencesOf } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';

/** What is attached to a message and has no name of its own. */
const attachedThingTable = {
  editors: 'open editors',
  diagnostics: 'problems',
  tests: 'test results',
  terminal: 'terminal output',
  changes: 'Git changes',
  image: 'an image',
} as const satisfies SentenceTable;

function attachedThing(kind: string, say: Say): string {
  return isCodeOf(attachedThingTable, kind) ? say(attachedThingTable[kind]) : kind;
}

/** What the offline guide says about resources and prompts. Markdown. */
export const guideContentTextTable = {
  helpContent:
    '- **Read a resource, use a prompt:** write `read NAME` or `/NAME`; `list resources` and `list prompts` show what there is. You see what is in it before it becomes part of the conversation.',
  reading: 'Reading {name} of {server}. It becomes part of this conversation only if you allow it.',
  gettingPrompt: 'Getting the prompt {name} of {server}. It becomes part of this conversation only if you allow it.',
  contentSent:
    'Done: {name} of {server} is part of this conversation now. A model would answer with it in mind. Open the card above to see it.',
  contentDenied: 'You declined, so the content of {name} of {server} was **not sent**: it is no part of this conversation.',
  contentDeniedBefore:
    'The content of {name} of {server} was **not read**: an answer that you stored (“Always deny”) refuses it. Take it back with the command “Duplex: Manage Permissions”.',
  contentFailed: '{name} of {server} could not be read. The card above says why.',
  contentCancelled: '{name} of {server} was stopped before it was read.',
  attachedNow: 'Attached to your message, and part of this conversation now: {names}.',
  attachedUnsent: 'Attached to your message, but **not sent**: {names}.',
  attachedThing: { text: '{kind}', words: { kind: attachedThing } },
  attachedNext:
    'I am **not an AI** and do nothing with it; a model would answer with it in mind. The chips in your message say what they are.',
  resourcesTitle: 'These resources can be read:',
  promptsTitle: 'These prompts can be used:',
  noResources: 'No running server has resources. Add or start one in the MCP Servers view below.',
  noPrompts: 'No running server has prompts. Add or start one in the MCP Servers view below.',
  listMore: '… and {count} more.',
  readNext: 'Read one: `read {example}`',
  promptNext: 'Use one: `/{example}`',
  unknownResource: 'There is no resource called `{name}` on the connected servers.',
  unknownPrompt: 'There is no prompt called `{name}` on the connected servers.',
  ambiguousContent: '`{name}` means more than one thing here. Write one of these:',
  unlistedResource: 'No server lists `{name}`, but it may be made of a pattern. Say which server shall get this address:',
  fillTemplate: '{name} of {server} stands for many resources. Write its address with values in place of the braces, for example:',
  promptNeeds: 'The prompt {name} of {server} needs {names}. Write for example:',
  badPromptArguments: 'I could not read the arguments for the prompt {name} of {server}. Write for example:',
} as const satisfies SentenceTable;

/** What the offline guide says. Markdown. */
export const guideTextTable = {
  label: 'Offline guide, not an AI',
  greeting:
    'Hello. I am the offline guide of Duplex. I am **not an AI**: I know a few plain requests and run tools for you, without a key and without network.',
  notAnAi: 'I am the offline guide, **not an AI**, so I cannot answer that. Here is what I can do:',
  helpRun:
    '- **Run a tool:** write `run {example}`. You are asked before it runs, unless you allowed it for longer. You can decline, and change the arguments where the question shows them.',
  helpTools: '- **See what is there:** write `tools` for a list of every tool of the connected servers.',
  helpRead: '- **Look at this editor:** write `run list_open_editors` or `run get_diagnostics`. The editor is a server too.',
  helpKey: '- **Talk to an AI:** use the command “Duplex: Set API Key”, then just ask.',
  noTools: 'No server with tools is running yet. Add or start one in the MCP Servers view below, then write `tools`.',
  /** Instead of `noTools` in Restricted Mode. */
  trustFirst: 'No server runs before you trust this workspace: use the command “Workspaces: Manage Workspace Trust”, then write `tools`.',
  toolsTitle: 'These tools are ready:',
  toolsOfServer: '**{server}** ({count})',
  toolsMore: '- … and {count} more. Write `tools {server}` to see all.',
  toolsNext: 'Try one: `run {example}`',
  running: 'Running {tool} of {server}. Nothing happens before you allow it.',
  done: 'Done: {tool} of {server} ran and answered:',
  doneOther: 'Done: {tool} of {server} ran. Open the card above to see the result.',
  denied: 'You declined, so {tool} of {server} **did not run** and nothing was sent to the server.',
  deniedBefore:
    '{tool} of {server} **did not run**: an answer that you stored (“Always deny”) refuses it. Take it back with the command “Duplex: Manage Permissions”.',
  deniedNext: 'That is how it always works here: no tool runs without your answer.',
  failed: '{tool} of {server} did not succeed:',
  cancelled: '{tool} of {server} was stopped before it finished.',
  nextTool: 'Next you could write `run {example}`, or `tools` for the whole list.',
  nextKey: 'For real conversations, use the command “Duplex: Set API Key”.',
  needsArguments: '{tool} of {server} needs {names}. Write for example:',
  badJson: 'I could not read the arguments for {tool} of {server}: they must be a JSON object. Write for example:',
  unknownTool: 'There is no tool called `{name}` on the connected servers.',
  didYouMean: 'Did you mean one of these?',
  ambiguousTool: 'Several servers have a tool called `{name}`. Name the server too:',
  ...guideContentTextTable,
} as const satisfies SentenceTable;

export type GuideTextKey = keyof typeof guideTextTable;
export type GuideTexts = (key: GuideTextKey, args?: ErrorArguments) => string;

export const guideTextsInEnglish: GuideTexts = sentencesOf(guideTextTable);

/** The most entries of a list that the offline guide writes; the rest is counted. */
export const maxListed = 12;

/** Prepares a server's text for Markdown: invisible characters are written out, and nothing in it can end a code span. */
export function plainWords(text: string): string {
  return revealInvisible(text).replace(/[`\n]/g, ' ');
}

export function codeSpan(text: string): string {
  return `\`${plainWords(text)}\``;
}

export function codeBlock(text: string): string {
  return `\`\`\`text\n${plainWords(text)}\n\`\`\``;
}

/** A list of examples to type, with no more entries than a person looks through. */
export function boundedList<T>(things: readonly T[], exampleOf: (thing: T) => string, say: GuideTexts): string {
  const left = things.length - maxListed;
  const lines = things.slice(0, maxListed).map((thing) => `- ${codeSpan(exampleOf(thing))}`);
  return [...lines, ...(left > 0 ? [`- ${say('listMore', { count: left })}`] : [])].join('\n');
}

export function quote(text: string): string {
  const short = text.length > 600 ? `${text.slice(0, 600)} …` : text;
  return `\`\`\`text\n${revealInvisible(short).replaceAll('```', "'''")}\n\`\`\``;
}

export function summary(description: string): string {
  const [first = ''] = revealInvisible(description).trim().split('\n');
  const short = first.length > 100 ? `${first.slice(0, 100)}…` : first;
  return short === '' ? '' : `– ${short.replace(/[[\]<>*_`]/g, '')}`;
}

export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
