import * as path from 'node:path';
import type * as vscode from 'vscode';
import type { AppError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import { ChatBudget, type ChatBudgetOptions } from '../chat/budget/chatBudget.ts';
import { chatError } from '../chat/conversation/chatSentences.ts';
import type { ChatContent, ChatToolOutcome, ChatTools, ContentReading } from '../chat/content/hostPorts.ts';
import type { ServerSkills } from '../chat/content/skills.ts';
import type { ContentOffers } from '../chat/models/contentOffers.ts';
import { WorkspaceSkills } from '../chat/content/workspaceSkills.ts';
import { ProjectInstructions } from '../chat/content/projectInstructions.ts';
import type { Completions } from '../chat/context/argumentForms.ts';
import { ChatContext, type ChatContextOptions } from '../chat/context/chatContext.ts';
import { personalInstructions } from '../chat/content/systemPrompt.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { CallApp } from '../contract/chat/appMessages.ts';
import { editorServerName } from '../contract/identity.ts';
import type { Asker } from '../contract/questions/callKnowledge.ts';
import { builtInId } from '../definitions/serverNames.ts';
import { createEditorContext } from '../editor/context/editorContext.ts';
import { allowedTexts, createInstructionFiles } from '../editor/context/instructionFiles.ts';
import { createSkillFolders, toSkillFile } from '../editor/context/skillFolders.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { KeptResultFiles, keptResultsFolder } from '../editor/storage/keptResultFiles.ts';
import { type SettingsReader, workspaceKey } from '../editor/settingsReader.ts';
import { foldersOfWorkspace } from '../editor/shared/workspaceFolders.ts';
import type { ContentReader } from '../host/resources/contentReader.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { toResultItems } from '../host/tools/resultItems.ts';
import { instructionsOf } from '../host/shared/modelTools.ts';
import { needsPermission } from '../host/shared/serverState.ts';
import { StartOffers } from '../host/starting/startOffers.ts';
import type { NamedAppTool } from '../host/apps/appTools.ts';
import type { ToolCaller, CallOutcome, ToolCallRequest } from '../host/tools/toolCaller.ts';
import { folderNameOf } from '../platform/files/sharedFolderOnDisk.ts';
import { noGrants } from '../server/seen/viewer.ts';
import type { EditorPort } from '../server/seen/ports/editorPort.ts';
import { redactWith, secretPlaces } from '../secrets/redactSecrets.ts';
import { createVisibility } from '../server/seen/withheld/visibility.ts';
import { pickFilesToAttach } from '../views/chat/chatAttachments.ts';
import { errorSentence } from '../views/errorReporter.ts';
import type { AppsJoin } from './appsJoin.ts';

/** Joins the tools of every running server to the chat, under the chat's own permissions. */
export function joinChatTools(
  registry: HostRegistry,
  caller: ToolCaller,
  asker: () => Asker,
  lastWordsOf: (serverId: string) => readonly string[],
  apps: Pick<AppsJoin, 'keep' | 'tools'>,
): ChatTools {
  const offers = new StartOffers(registry);
  return {
    list: (conversationId) => [...registry.modelTools(), ...(conversationId === undefined ? [] : apps.tools.of(conversationId))],
    instructions: () => instructionsOf(registry.servers()),
    prepare: (options) => offers.offer(options),
    waiting: () => registry.servers().flatMap((server) => (needsPermission(server) ? [{ serverId: server.id, server: server.label }] : [])),
    call: async ({ name, ...call }) => {
      const offered = apps.tools.named(name);
      if (offered !== undefined) {
        return callAppTool(caller, offered, { ...call, asker: asker() });
      }
      const target = registry.toolNamed(name);
      if (target === undefined) {
        return failed(chatError('chat.toolGone', { name }));
      }
      let sent = call.arguments;
      const onStart = (args: JsonObject): void => call.onStart((sent = args));
      const outcome = await caller.call({ ...call, ...target, onStart, principal: 'chat', asker: asker() });
      const told = withApp(toChatOutcome(outcome, target.serverId === editorServerId), () => appOf(registry, target, outcome, sent, apps));
      const isRunning = registry.servers().some(({ id, state }) => id === target.serverId && state.kind === 'ready');
      return told.kind === 'failed' && !isRunning ? { ...told, lastWords: lastWordsOf(target.serverId) } : told;
    },
  };
}

/** Calls a tool that an app offers, which stays awake meanwhile: first the permission, as for any other tool. */
async function callAppTool(
  caller: ToolCaller,
  { hold, ...target }: NamedAppTool,
  call: Omit<ToolCallRequest, 'principal' | 'serverId' | 'tool' | 'app'>,
): Promise<ChatToolOutcome> {
  const held = hold();
  try {
    return toChatOutcome(await caller.call({ ...call, ...target, principal: 'chat' }), false);
  } finally {
    held.dispose();
  }
}

function withApp(told: ChatToolOutcome, find: () => Pick<CallApp, 'uri' | 'key'> | undefined): ChatToolOutcome {
  const app = told.kind === 'result' ? find() : undefined;
  return told.kind === 'result' && app !== undefined ? { ...told, app } : told;
}

/** The page of the tool that was called, if its server gave it one. */
function appOf(
  registry: HostRegistry,
  { serverId, tool }: { readonly serverId: string; readonly tool: string },
  outcome: CallOutcome,
  args: JsonObject,
  apps: Pick<AppsJoin, 'keep'>,
): Pick<CallApp, 'uri' | 'key'> | undefined {
  const uri = registry.find(serverId)?.connection.tools.find(({ name }) => name === tool)?.app?.uri;
  return uri === undefined || outcome.kind !== 'result' ? undefined : { uri, key: apps.keep(args, outcome.result) };
}

/** The editor's own server. Its results are written for models and are given to them whole. */
const editorServerId = builtInId(editorServerName);

function toChatOutcome(outcome: CallOutcome, isEditor: boolean): ChatToolOutcome {
  switch (outcome.kind) {
    case 'result': {
      const { isError, structuredContent } = outcome.result;
      const ownAnswer = isEditor && isJsonObject(structuredContent) ? structuredContent : undefined;
      return { kind: 'result', isError, items: toResultItems(outcome.result, isEditor), ownAnswer };
    }
    case 'denied':
      return { kind: 'denied', byStoredAnswer: outcome.by === 'ledger' };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'failed':
      return failed(outcome.error);
  }
}

/** A failure for both readers: the model reads English, the person their own language. */
function failed(error: AppError): ChatToolOutcome {
  return { kind: 'failed', message: error.message, sentence: errorSentence(error) };
}

/** Joins resources and prompts of every running server to the chat, under the chat's own permissions. */
export function joinChatContent(registry: HostRegistry, reader: ContentReader, gate: ConsentGate): ChatContent {
  return {
    gate,
    offers: async (signal) => {
      await reader.listed(signal);
      return offersOf(registry);
    },
    read: async (wish, signal, ask): Promise<ContentReading> => {
      const recordedAs = await redactWith(wish.kind === 'resource' ? wish.uri : wish.name, secretPlaces);
      try {
        return { kind: 'given', content: await reader.read({ ...wish, principal: 'chat', recordedAs, signal, ask }) };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'failed', ...explain(error) };
      }
    },
    isEditor: (serverId) => serverId === editorServerId,
    identityOf: (serverId) => reader.identityOf(serverId),
    secretsIn: secretPlaces,
    explain,
  };
}

function offersOf(registry: HostRegistry): ContentOffers {
  const running = registry.servers().filter(({ state }) => state.kind === 'ready');
  const from = ({ id, label }: (typeof running)[number]): { serverId: string; server: string } => ({ serverId: id, server: label });
  return {
    resources: running.flatMap((server) => server.resources.map((resource) => ({ ...resource, ...from(server) }))),
    templates: running.flatMap((server) => server.templates.map((template) => ({ ...template, ...from(server) }))),
    prompts: running.flatMap((server) => server.prompts.map((prompt) => ({ ...prompt, ...from(server) }))),
  };
}

function explain(error: unknown): ReturnType<ChatContent['explain']> {
  return { sentence: errorSentence(error) };
}

export interface ChatContextJoinOptions {
  readonly content: ChatContent;
  readonly tools: Pick<ChatContextOptions, 'tools' | 'chooseTool'>;
  readonly registry: HostRegistry;
  readonly editor: () => Promise<EditorPort>;
  readonly lastTextEditor: LastTextEditor;
  /** Folders with the editor's own data, which no model is shown. */
  readonly neverShown: readonly string[];
}

/** Joins what can be attached to a message to its sources: the editor and every running server. */
export function joinChatContext({ content, tools, registry, editor, lastTextEditor, neverShown }: ChatContextJoinOptions): ChatContext {
  // These are the rules of the embedded server: before anything that they withhold from clients goes to a model, the person is asked.
  const { isShown } = createVisibility({ folders: foldersOfWorkspace, neverShown, grants: noGrants });
  return new ChatContext({
    sources: createEditorContext({ editor, lastTextEditor, isShown }),
    content,
    completions: completionsOf(registry),
    pick: pickFilesToAttach,
    ...tools,
  });
}

/** Asks servers for proposals for the arguments of their prompts and templates. */
export function completionsOf(registry: HostRegistry): Completions {
  return { complete: async (serverId, request, signal) => (await registry.features(serverId).complete(request, { signal })).values };
}

export interface ChatBudgetJoinOptions {
  readonly tools: ChatTools;
  readonly registry: HostRegistry;
  readonly reader: ContentReader;
  readonly settings: SettingsReader;
  readonly storageFolder: string;
  readonly workspaceState: vscode.Memento;
  /** Folders with the editor's own data, which no model is shown. */
  readonly neverShown: readonly string[];
  readonly log: Log;
}

const choiceKey = 'duplex.toolChoice';

/** Joins the chat's budget to the storage of this workspace. */
export function joinChatBudget(options: ChatBudgetJoinOptions): ChatBudget {
  const { tools, registry, settings, storageFolder, workspaceState, log } = options;
  // The conversations of the workspace have the same folder name, so that both are removed together.
  const folder = folderNameOf(workspaceKey());
  return new ChatBudget({
    tools,
    surroundings: () => ({ instructions: personalInstructions(settings.get('duplex.chat.instructions')) }),
    project: joinProjectInstructions(options),
    hasResources: () =>
      registry.servers().some(({ state, resources, templates }) => state.kind === 'ready' && resources.length + templates.length > 0),
    skills: joinSkills(options),
    results: new KeptResultFiles(path.join(keptResultsFolder(storageFolder), folder), log),
    choice: {
      read: () => workspaceState.get(choiceKey),
      write: async (choice) => workspaceState.update(choiceKey, choice),
    },
  });
}

/** Joins the skills of running servers and those of the workspace. */
function joinSkills({
  registry,
  reader,
  workspaceState,
  neverShown,
  log,
}: ChatBudgetJoinOptions): NonNullable<ChatBudgetOptions['skills']> {
  const { isShown } = createVisibility({ folders: foldersOfWorkspace, neverShown, grants: noGrants });
  return {
    servers: joinServerSkills(registry, reader),
    allowed: allowedTexts(workspaceState, 'duplex.allowedSkills'),
    workspace: new WorkspaceSkills({ folders: createSkillFolders(isShown, log), workspace: workspaceKey(), log }),
  };
}

function joinServerSkills(registry: HostRegistry, reader: ContentReader): ServerSkills {
  return {
    list: () =>
      registry
        .servers()
        .filter(({ state }) => state.kind === 'ready')
        .flatMap(({ id, label, skills }) => skills.map((skill) => ({ ...skill, serverId: id, server: label }))),
    read: async ({ serverId, uri }, decidedBy, signal, ask) => {
      try {
        const recordedAs = await redactWith(uri, secretPlaces);
        const files = await reader.readSkill({ kind: 'resource', principal: 'chat', serverId, uri, recordedAs, decidedBy, signal, ask });
        return { kind: 'given', files: files.map(({ path, bytes }) => toSkillFile(path, bytes)) };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'failed', ...explain(error) };
      }
    },
  };
}

/** Joins the project's own instructions to their files. Files outside of the workspace, or withheld from clients, do not count. */
function joinProjectInstructions({ workspaceState, neverShown, log }: ChatBudgetJoinOptions): ProjectInstructions {
  const { isShown } = createVisibility({ folders: foldersOfWorkspace, neverShown, grants: noGrants });
  return new ProjectInstructions({
    files: createInstructionFiles(isShown, log),
    allowed: allowedTexts(workspaceState, 'duplex.allowedInstructions'),
    log,
  });
}
