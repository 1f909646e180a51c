import { errorMaker, isCodeOf, sentencesOf, type AppError, type ErrorArguments, type SentenceTable } from '../../base/errors.ts';
import type { ChatError } from '../../contract/chat/chatState.ts';
import { modelSentenceTable } from '../models/modelErrors.ts';

/** What the chat says to people. The codes are stable. */
export const chatSentenceTable = {
  'chat.busy': 'An answer is still being written. Stop it or wait until it is finished.',
  'chat.leftConversation': 'Another conversation was opened meanwhile, so nothing was done. Try again in the one that you mean.',
  'chat.emptyMessage': 'The message is empty.',
  'chat.nothingToRetry': 'There is no answer to try again yet.',
  'chat.messageGone': 'This message is not in the conversation any more.',
  'chat.editGone': 'How this file was before is not kept any more.',
  'chat.queueFull': 'No more than {max} messages can wait. Send them when the answer is finished.',
  'chat.savedConversationInvalid': 'This saved conversation cannot be read.',
  'chat.savedConversationUnreadable': 'This saved conversation cannot be read. Its file is kept as it is, under the name {file}.',
  'chat.savedConversationNewer': 'This conversation was saved by a newer version of Duplex. Update Duplex to open it.',
  'chat.savedConversationGone': 'This conversation is no longer there.',
  'chat.answeredElsewhere': 'Another window is answering in this conversation. Wait until it has finished, or open a copy.',
  'chat.changedElsewhere': 'Another window has changed this conversation. It is shown as it is now; send your message again.',
  'chat.unexpected': 'Something went wrong while answering.',
  'chat.roundLimit': 'The assistant paused after {rounds} rounds of tool calls. Continue if it is on the right way.',
  'chat.maxTokens': 'The answer reached its length limit and was cut off.',
  'chat.contextFull': 'The conversation no longer fits into the model. Start a new conversation.',
  'chat.refusal': 'The model declined to answer this message.',
  'chat.notSent': 'Nothing was sent. Your message is kept here.',
  'chat.toolDeniedBefore': 'Refused by an answer that you stored (“Always deny”). Take it back with “Duplex: Manage Permissions”.',
  'chat.toolReportedError': 'The tool reported an error.',
  'chat.toolUnknown': 'There is no tool named “{name}”.',
  'chat.toolGone': 'There is no tool named “{name}” any more.',
  'chat.toolInputMalformed': 'The model sent arguments that are not valid JSON. The tool did not run.',
  'chat.toolFailed': 'The tool could not be run.',
  'chat.appDenied': 'You did not allow this app.',
  'chat.appMakesRoom': 'Asleep: at most {max} apps are shown at a time.',
  'chat.appNoRoom': 'Not shown: {max} apps are shown already, and all of them are in use.',
  'chat.appAway': 'Asleep, because it was out of view. It begins anew when you wake it.',
  'chat.appTooLarge': 'The app was ended: it sent a message of more than 1 MB.',
  'chat.appTooMany': 'The app was ended: it sent more than 200 messages, or 4 MB, in a second.',
  'chat.appReloaded': 'The app was ended: it tried to load another page.',
  'chat.appNotLoaded': 'The app could not be shown: its frame did not load.',
  'chat.appNotIsolated': 'The app was not shown: its frame would not have been closed off.',
  'chat.resultCut': 'Only the first {shown} of {total} bytes are shown here.',
  'chat.contentFailed': 'The content could not be read.',
  'chat.contentEmpty': 'The server gave no content.',
  'chat.tooManyAttachments': 'At most {count} things can be attached to one message.',
  'chat.attachmentsTooLarge': 'That would be more than {megabytes} MB attached to one message. Attach less, or a part of it.',
  'chat.imageRefused': 'Only PNG, JPEG, GIF and WebP images and PDFs that models take can be attached.',
  'chat.attachBinary': '“{name}” cannot be attached: it is neither text nor an image or PDF that models take.',
  'chat.attachTooLarge': '“{name}” is too large to be attached.',
  'chat.attachMissing': '“{name}” is not there any more, or cannot be read.',
  'chat.attachFailed': '“{name}” could not be attached.',
  'chat.argumentMissing': '“{name}” is needed.',
  'chat.compactionFailed': 'The summary could not be made, so the model still gets the whole conversation.',
  'chat.compactionEmpty': 'The model gave no summary, so it still gets the whole conversation.',
  'chat.compactionRefused': 'The model declined to sum up the conversation, so it still gets the whole conversation.',
  'chat.compactionCut': 'The summary reached its length limit and was cut off here.',
  'chat.compactionUnheard':
    'Parts of this conversation were said to somebody else. Send a message first: you are asked whether they may go to who answers now.',
  'chat.nothingToCompact': 'There is nothing to compact yet.',
  'chat.resultGone': 'This result is no longer kept.',
  ...modelSentenceTable,
} as const satisfies SentenceTable;

/** Makes the errors of the chat and its models. */
export const chatError = errorMaker(chatSentenceTable);

export type ChatSentenceCode = keyof typeof chatSentenceTable;

/** Turns a code into a sentence in the person's language. */
export type ChatSentences = (code: ChatSentenceCode, args?: ErrorArguments) => string;

export const chatSentencesInEnglish: ChatSentences = sentencesOf(chatSentenceTable);

const actions: Partial<Record<ChatSentenceCode, ChatError['action']>> = {
  'chat.roundLimit': 'continue',
  'chat.maxTokens': 'continue',
  'chat.contextFull': undefined,
  'model.noKey': 'setApiKey',
  'model.badKey': 'setApiKey',
  'model.notFound': 'chooseModel',
  'model.forbidden': 'chooseModel',
  'model.noVscodeModels': 'chooseModel',
  'model.tooLong': 'chooseModel',
  'model.tooLarge': undefined,
};

/** The sentence of a failure and what the person can do about it. An error with an unknown code keeps its own message as the detail. */
export function toChatError(error: AppError, sentences: ChatSentences): ChatError {
  const code: ChatSentenceCode = isCodeOf(chatSentenceTable, error.code) ? error.code : 'chat.unexpected';
  const detail = [error.detail ?? (code === 'chat.unexpected' ? error.message : undefined), error.code].filter(Boolean).join('\n');
  const action = Object.hasOwn(actions, code) ? actions[code] : 'retry';
  return { message: sentences(code, error.args), detail, ...(action === undefined ? {} : { action }) };
}
