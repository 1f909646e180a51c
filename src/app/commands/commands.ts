// commands/: what each command does, in groups: it asks the views and calls the rooms. This file puts the groups together.
import * as vscode from 'vscode';
import { neverAborted } from '../../base/abort.ts';
import type { Event } from '../../base/events.ts';
import { lateMethods } from '../../base/late.ts';
import type { DisposableStore } from '../../base/lifecycle.ts';
import { views } from '../../contract/identity.ts';
import { insertIntoLastEditor } from '../../views/chat/workspaceFiles.ts';
import { changeClientAccess, changeClientRole, revokeClient } from '../../views/clients/clientPicks.ts';
import { copyClientConfiguration } from '../../views/clients/copyClientConfiguration.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { contextFlag } from '../../views/native/contextFlags.ts';
import { openResource, saveResource } from '../../views/resources/openResource.ts';
import { promptInsertion } from '../../views/resources/promptText.ts';
import { runPrompt } from '../../views/resources/runPrompt.ts';
import { runTool } from '../../views/runner/runTool.ts';
import { completionsOf } from '../chatPartsJoin.ts';
import { joinPages } from '../views/pagesJoin.ts';
import { chatCommands } from './chatCommands.ts';
import type { CommandContext } from './commandContext.ts';
import { definitionCommands, serverCommands } from './serverCommands.ts';

/** Joins the commands to what they act on, and the pages to what they show. Loaded when the first command is used. */
export function joinCommands(acted: Omit<CommandContext, 'pages'>, onDidChange: Event<void>, lifetime: DisposableStore): CommandHandlers {
  return commandHandlers({ ...acted, pages: lifetime.add(joinPages(acted, onDidChange)) });
}

/** What each command of the contract does. */
function commandHandlers(context: CommandContext): CommandHandlers {
  return {
    ...chatCommands(context),
    ...serverCommands(context),
    ...definitionCommands(context),
    ...offerCommands(context),
    ...clientCommands(context),
    ...proposalCommands(context),
    ...overviewCommands(context),
  };
}

type OfferCommand = 'runTool' | 'runPrompt' | 'sendPromptToChat' | 'insertPrompt' | 'openResource' | 'saveResourceAs';

/** The commands that use tools, prompts and resources of servers by hand. */
function offerCommands(context: CommandContext): Pick<CommandHandlers, OfferCommand> {
  const { host, questions, chat, chatView, lastTextEditor, resources, previews, byHand } = context;
  const { registry, reader, caller } = host;
  const completions = completionsOf(registry);
  const ports = { registry, reader, ask: questions.askOwn, completions, documents: resources, previews };
  return {
    runTool: (argument) => runTool({ registry, caller, questions, ...byHand }, argument),
    runPrompt: (argument) => runPrompt(ports, argument, neverAborted()),
    sendPromptToChat: async (argument) => {
      const { wish } = previews.requirePrompt(argument);
      await chatView.focus();
      await chat.places.sidebar.context.attachOfServer(wish);
    },
    insertPrompt: (argument) => insertIntoLastEditor(lastTextEditor, promptInsertion(previews.requirePrompt(argument).content)),
    openResource: (argument) => openResource(ports, argument, neverAborted()),
    saveResourceAs: (argument) => saveResource(resources, argument),
  };
}

type ClientCommand =
  | 'changeClientRole'
  | 'changeClientAccess'
  | 'revokeClient'
  | 'letTheNextOneAsk'
  | 'rotateServerToken'
  | 'copyClientConfiguration';

/** The commands about outside programs that use this editor as a server. */
function clientCommands({ server, reporter }: CommandContext): Pick<CommandHandlers, ClientCommand> {
  return {
    changeClientRole: (argument) => changeClientRole(server, argument),
    changeClientAccess: (argument) => changeClientAccess(server, argument),
    revokeClient: (argument) => revokeClient(server, argument),
    letTheNextOneAsk: () => server.letTheNextOneAsk(),
    rotateServerToken: () => server.credentials.rotateWindowToken(),
    copyClientConfiguration: () => copyClientConfiguration(server, (error) => reporter.report(error)),
  };
}

type ProposalCommand = 'acceptAndSave' | 'accept' | 'reject' | 'acceptAllAndSave' | 'acceptAll' | 'rejectAll';

/** The commands Accept and Reject for what a client proposes to change. */
function proposalCommands({ reviews }: CommandContext): Pick<CommandHandlers, ProposalCommand> {
  const { accept, reject } = lateMethods(reviews, ['accept', 'reject']);
  return {
    acceptAndSave: (argument) => accept(argument, { isToBeSaved: true }),
    accept: (argument) => accept(argument),
    reject: (argument) => reject(argument),
    acceptAllAndSave: (argument) => accept(argument, { isForAll: true, isToBeSaved: true }),
    acceptAll: (argument) => accept(argument, { isForAll: true }),
    rejectAll: (argument) => reject(argument, { isForAll: true }),
  };
}

type OverviewCommand = 'doctor' | 'managePermissions' | 'showAuditLog' | 'showTraffic' | 'showPermissionQuestions';

/** The commands that show what is allowed, what is asked, and whether all is well. */
function overviewCommands(context: CommandContext): Pick<CommandHandlers, OverviewCommand> {
  const { panel, pages, reviews, waiting, chatView } = context;
  const tellLookedBack = contextFlag('duplex.hasLookedBack');
  return {
    doctor: () => pages.doctor.show(),
    managePermissions: () => pages.permissions.show(),
    showAuditLog: () => {
      tellLookedBack(true);
      pages.auditLog.show();
    },
    showTraffic: () => {
      tellLookedBack(true);
      return vscode.commands.executeCommand(`${views.traffic}.focus`);
    },
    // An argument names one question, which may have been answered meanwhile.
    showPermissionQuestions: async (argument) => {
      const surface = typeof argument === 'string' ? waiting.surfaceOf(argument) : (waiting.firstSurface ?? 'panel');
      const shown = {
        panel: () => panel.show(),
        review: async () => (await reviews.get()).show(argument),
        chat: () => chatView.showQuestion(argument),
      };
      return surface === undefined ? undefined : shown[surface]();
    },
  };
}
