import type { guideContentTextTable, guideTextTable } from '../../chat/models/guideTexts.ts';
import type { Sentences, Translate } from './translate.ts';

/** What the offline guide says. Markdown. */
export function guideTexts(t: Translate, isTrusted: () => boolean = () => true): Sentences<typeof guideTextTable> {
  return {
    label: () => t('Offline guide, not an AI'),
    greeting: () =>
      t(
        'Hello. I am the offline guide of Duplex. I am **not an AI**: I know a few plain requests and run tools for you, without a key and without network.',
      ),
    notAnAi: () => t('I am the offline guide, **not an AI**, so I cannot answer that. Here is what I can do:'),
    helpRun: ({ example }) =>
      t(
        '- **Run a tool:** write `run {0}`. You are asked before it runs, unless you allowed it for longer. You can decline, and change the arguments where the question shows them.',
        example,
      ),
    helpTools: () => t('- **See what is there:** write `tools` for a list of every tool of the connected servers.'),
    helpRead: () => t('- **Look at this editor:** write `run list_open_editors` or `run get_diagnostics`. The editor is a server too.'),
    helpKey: () => t('- **Talk to an AI:** use the command “Duplex: Set API Key”, then just ask.'),
    noTools: () => (isTrusted() ? noTools(t) : trustFirst(t)),
    toolsTitle: () => t('These tools are ready:'),
    toolsOfServer: ({ server, count }) => t('**{0}** ({1})', server, count),
    toolsMore: ({ count, server }) => t('- … and {0} more. Write `tools {1}` to see all.', count, server),
    toolsNext: ({ example }) => t('Try one: `run {0}`', example),
    running: ({ tool, server }) => t('Running {0} of {1}. Nothing happens before you allow it.', tool, server),
    done: ({ tool, server }) => t('Done: {0} of {1} ran and answered:', tool, server),
    doneOther: ({ tool, server }) => t('Done: {0} of {1} ran. Open the card above to see the result.', tool, server),
    denied: ({ tool, server }) => t('You declined, so {0} of {1} **did not run** and nothing was sent to the server.', tool, server),
    deniedBefore: ({ tool, server }) =>
      t(
        '{0} of {1} **did not run**: an answer that you stored (“Always deny”) refuses it. Take it back with the command “Duplex: Manage Permissions”.',
        tool,
        server,
      ),
    deniedNext: () => t('That is how it always works here: no tool runs without your answer.'),
    failed: ({ tool, server }) => t('{0} of {1} did not succeed:', tool, server),
    cancelled: ({ tool, server }) => t('{0} of {1} was stopped before it finished.', tool, server),
    nextTool: ({ example }) => t('Next you could write `run {0}`, or `tools` for the whole list.', example),
    nextKey: () => t('For real conversations, use the command “Duplex: Set API Key”.'),
    needsArguments: ({ tool, server, names }) => t('{0} of {1} needs {2}. Write for example:', tool, server, names),
    badJson: ({ tool, server }) =>
      t('I could not read the arguments for {0} of {1}: they must be a JSON object. Write for example:', tool, server),
    unknownTool: ({ name }) => t('There is no tool called `{0}` on the connected servers.', name),
    didYouMean: () => t('Did you mean one of these?'),
    ambiguousTool: ({ name }) => t('Several servers have a tool called `{0}`. Name the server too:', name),
    ...guideContentTexts(t),
  };
}

function guideContentTexts(t: Translate): Sentences<typeof guideContentTextTable> {
  return {
    helpContent: () =>
      t(
        '- **Read a resource, use a prompt:** write `read NAME` or `/NAME`; `list resources` and `list prompts` show what there is. You see what is in it before it becomes part of the conversation.',
      ),
    reading: ({ name, server }) => t('Reading {0} of {1}. It becomes part of this conversation only if you allow it.', name, server),
    gettingPrompt: ({ name, server }) =>
      t('Getting the prompt {0} of {1}. It becomes part of this conversation only if you allow it.', name, server),
    contentSent: ({ name, server }) =>
      t(
        'Done: {0} of {1} is part of this conversation now. A model would answer with it in mind. Open the card above to see it.',
        name,
        server,
      ),
    contentDenied: ({ name, server }) =>
      t('You declined, so the content of {0} of {1} was **not sent**: it is no part of this conversation.', name, server),
    contentDeniedBefore: ({ name, server }) =>
      t(
        'The content of {0} of {1} was **not read**: an answer that you stored (“Always deny”) refuses it. Take it back with the command “Duplex: Manage Permissions”.',
        name,
        server,
      ),
    contentFailed: ({ name, server }) => t('{0} of {1} could not be read. The card above says why.', name, server),
    contentCancelled: ({ name, server }) => t('{0} of {1} was stopped before it was read.', name, server),
    ...guideAttachedTexts(t),
    resourcesTitle: () => t('These resources can be read:'),
    promptsTitle: () => t('These prompts can be used:'),
    noResources: () => t('No running server has resources. Add or start one in the MCP Servers view below.'),
    noPrompts: () => t('No running server has prompts. Add or start one in the MCP Servers view below.'),
    listMore: ({ count }) => t('… and {0} more.', count),
    readNext: ({ example }) => t('Read one: `read {0}`', example),
    promptNext: ({ example }) => t('Use one: `/{0}`', example),
    unknownResource: ({ name }) => t('There is no resource called `{0}` on the connected servers.', name),
    unknownPrompt: ({ name }) => t('There is no prompt called `{0}` on the connected servers.', name),
    ambiguousContent: ({ name }) => t('`{0}` means more than one thing here. Write one of these:', name),
    unlistedResource: ({ name }) =>
      t('No server lists `{0}`, but it may be made of a pattern. Say which server shall get this address:', name),
    fillTemplate: ({ name, server }) =>
      t('{0} of {1} stands for many resources. Write its address with values in place of the braces, for example:', name, server),
    promptNeeds: ({ name, server, names }) => t('The prompt {0} of {1} needs {2}. Write for example:', name, server, names),
    badPromptArguments: ({ name, server }) =>
      t('I could not read the arguments for the prompt {0} of {1}. Write for example:', name, server),
  };
}

function guideAttachedTexts(
  t: Translate,
): Pick<Sentences<typeof guideContentTextTable>, 'attachedNow' | 'attachedUnsent' | 'attachedThing' | 'attachedNext'> {
  return {
    attachedNow: ({ names }) => t('Attached to your message, and part of this conversation now: {0}.', names),
    attachedUnsent: ({ names }) => t('Attached to your message, but **not sent**: {0}.', names),
    attachedThing: ({ kind }) => attachedThing(kind, t),
    attachedNext: () =>
      t('I am **not an AI** and do nothing with it; a model would answer with it in mind. The chips in your message say what they are.'),
  };
}

/** What has no name of its own. */
function attachedThing(kind: string, t: Translate): string {
  const words: Readonly<Record<string, string>> = {
    editors: t('open editors'),
    diagnostics: t('problems'),
    tests: t('test results'),
    terminal: t('terminal output'),
    changes: t('Git changes'),
    image: t('an image'),
  };
  return words[kind] ?? kind;
}

function noTools(t: Translate): string {
  return t('No server with tools is running yet. Add or start one in the MCP Servers view below, then write `tools`.');
}

/** In Restricted Mode. */
function trustFirst(t: Translate): string {
  return t('No server runs before you trust this workspace: use the command “Workspaces: Manage Workspace Trust”, then write `tools`.');
}
