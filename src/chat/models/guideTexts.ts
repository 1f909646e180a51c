import type { ErrorArguments } from '../../base/errors.ts';
import { fillTemplate } from '../fillTemplate.ts';

/** What the offline guide says. Markdown; `{name}` is replaced. The app wraps this table with `vscode.l10n`. */
export const englishGuideTexts = {
  label: 'Offline guide, not an AI',
  greeting:
    'Hello. I am the offline guide of Duplex. I am **not an AI**: I know a few plain requests and run tools for you, without a key and without network.',
  notAnAi: 'I am the offline guide, **not an AI**, so I cannot answer that. Here is what I can do:',
  helpRun: '- **Run a tool:** write `run {example}`. You are asked before anything runs, and you can change the arguments or decline.',
  helpTools: '- **See what is there:** write `tools` for a list of every tool of the connected servers.',
  helpRead: '- **Look at this editor:** write `run list_open_editors` or `run get_diagnostics`. The editor is a server too.',
  helpKey: '- **Talk to an AI:** use the command “Duplex: Set API Key”, then just ask.',
  noTools: 'No server with tools is running yet. Add or start one in the MCP Servers view below, then write `tools`.',
  toolsTitle: 'These tools are ready:',
  toolsOfServer: '**{server}** ({count})',
  toolsMore: '- … and {count} more. Write `tools {server}` to see all.',
  toolsNext: 'Try one: `run {example}`',
  running: 'Running {tool} of {server}. Nothing happens before you allow it.',
  done: 'Done: {tool} of {server} ran and answered:',
  doneOther: 'Done: {tool} of {server} ran. Open the card above to see the result.',
  denied: 'You declined, so {tool} of {server} **did not run** and nothing was sent to the server.',
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
  readResource: 'I cannot read `{resource}`: this version reads no resources yet. Tools work: write `tools` to see them.',
  prompts: 'This version runs no prompts of servers yet. Tools work: write `tools` to see them.',
} as const;

export type GuideTextKey = keyof typeof englishGuideTexts;
export type GuideTexts = (key: GuideTextKey, args?: ErrorArguments) => string;

export const guideTextsInEnglish: GuideTexts = (key, args) => fillTemplate(englishGuideTexts[key], args);
