import { sentencesOf, type ErrorArguments, type ErrorTable } from '../../base/errors.ts';
import { guideContentTextTable } from './guideContentTexts.ts';

/** What the offline guide says, in English; views/ has the same in the person's language. Markdown. */
export const guideTextTable = {
  label: () => 'Offline guide, not an AI',
  greeting: () =>
    'Hello. I am the offline guide of Duplex. I am **not an AI**: I know a few plain requests and run tools for you, without a key and without network.',
  notAnAi: () => 'I am the offline guide, **not an AI**, so I cannot answer that. Here is what I can do:',
  helpRun: ({ example }: { example: string }) =>
    `- **Run a tool:** write \`run ${example}\`. You are asked before it runs, unless you allowed it for longer. You can decline, and change the arguments where the question shows them.`,
  helpTools: () => '- **See what is there:** write `tools` for a list of every tool of the connected servers.',
  helpRead: () => '- **Look at this editor:** write `run list_open_editors` or `run get_diagnostics`. The editor is a server too.',
  helpKey: () => '- **Talk to an AI:** use the command “Duplex: Set API Key”, then just ask.',
  noTools: () => 'No server with tools is running yet. Add or start one in the MCP Servers view below, then write `tools`.',
  toolsTitle: () => 'These tools are ready:',
  toolsOfServer: ({ server, count }: { server: string; count: number }) => `**${server}** (${count})`,
  toolsMore: ({ count, server }: { count: number; server: string }) => `- … and ${count} more. Write \`tools ${server}\` to see all.`,
  toolsNext: ({ example }: { example: string }) => `Try one: \`run ${example}\``,
  running: ({ tool, server }: { tool: string; server: string }) => `Running ${tool} of ${server}. Nothing happens before you allow it.`,
  done: ({ tool, server }: { tool: string; server: string }) => `Done: ${tool} of ${server} ran and answered:`,
  doneOther: ({ tool, server }: { tool: string; server: string }) =>
    `Done: ${tool} of ${server} ran. Open the card above to see the result.`,
  denied: ({ tool, server }: { tool: string; server: string }) =>
    `You declined, so ${tool} of ${server} **did not run** and nothing was sent to the server.`,
  deniedBefore: ({ tool, server }: { tool: string; server: string }) =>
    `${tool} of ${server} **did not run**: an answer that you stored (“Always deny”) refuses it. Take it back with the command “Duplex: Manage Permissions”.`,
  deniedNext: () => 'That is how it always works here: no tool runs without your answer.',
  failed: ({ tool, server }: { tool: string; server: string }) => `${tool} of ${server} did not succeed:`,
  cancelled: ({ tool, server }: { tool: string; server: string }) => `${tool} of ${server} was stopped before it finished.`,
  nextTool: ({ example }: { example: string }) => `Next you could write \`run ${example}\`, or \`tools\` for the whole list.`,
  nextKey: () => 'For real conversations, use the command “Duplex: Set API Key”.',
  needsArguments: ({ tool, server, names }: { tool: string; server: string; names: string }) =>
    `${tool} of ${server} needs ${names}. Write for example:`,
  badJson: ({ tool, server }: { tool: string; server: string }) =>
    `I could not read the arguments for ${tool} of ${server}: they must be a JSON object. Write for example:`,
  unknownTool: ({ name }: { name: string }) => `There is no tool called \`${name}\` on the connected servers.`,
  didYouMean: () => 'Did you mean one of these?',
  ambiguousTool: ({ name }: { name: string }) => `Several servers have a tool called \`${name}\`. Name the server too:`,
  ...guideContentTextTable,
} as const satisfies ErrorTable;

export type GuideTextKey = keyof typeof guideTextTable;
export type GuideTexts = (key: GuideTextKey, args?: ErrorArguments) => string;

export const guideTextsInEnglish: GuideTexts = sentencesOf(guideTextTable);
