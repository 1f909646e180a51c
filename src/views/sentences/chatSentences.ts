import type { chatSentenceTable } from '../../chat/conversation/chatSentences.ts';
import type { Sentences, Translate } from './translate.ts';

type ModelCode = Extract<keyof typeof chatSentenceTable, `model.${string}`>;

/** What the chat says, by its code. */
export function chatSentences(t: Translate): Sentences<typeof chatSentenceTable> {
  return {
    'chat.busy': () => t('An answer is still being written. Stop it or wait until it is finished.'),
    'chat.emptyMessage': () => t('The message is empty.'),
    'chat.nothingToRetry': () => t('There is no answer to try again yet.'),
    'chat.messageGone': () => t('This message is not in the conversation any more.'),
    'chat.editGone': () => t('How this file was before is not kept any more.'),
    'chat.queueFull': ({ max }) => t('No more than {0} messages can wait. Send them when the answer is finished.', max),
    'chat.savedConversationInvalid': () => t('This saved conversation cannot be read.'),
    'chat.savedConversationUnreadable': ({ file }) =>
      t('This saved conversation cannot be read. Its file is kept as it is, under the name {0}.', file),
    'chat.savedConversationNewer': () => t('This conversation was saved by a newer version of Duplex. Update Duplex to open it.'),
    'chat.savedConversationGone': () => t('This conversation is no longer there.'),
    'chat.answeredElsewhere': () => t('Another window is answering in this conversation. Wait until it has finished, or open a copy.'),
    'chat.changedElsewhere': () => t('Another window has changed this conversation. It is shown as it is now; send your message again.'),
    'chat.unexpected': () => t('Something went wrong while answering.'),
    'chat.roundLimit': ({ rounds }) =>
      t('The assistant paused after {0} rounds of tool calls. Continue if it is on the right way.', rounds),
    'chat.maxTokens': () => t('The answer reached its length limit and was cut off.'),
    'chat.contextFull': () => t('The conversation no longer fits into the model. Start a new conversation.'),
    'chat.refusal': () => t('The model declined to answer this message.'),
    'chat.notSent': () => t('Nothing was sent. Your message is kept here.'),
    'chat.destinationChanged': () => t('The address of the model changed while the answer was written, so nothing more was sent.'),
    'chat.toolDeniedBefore': () =>
      t('Refused by an answer that you stored (“Always deny”). Take it back with “Duplex: Manage Permissions”.'),
    'chat.toolReportedError': () => t('The tool reported an error.'),
    'chat.toolUnknown': ({ name }) => t('There is no tool named “{0}”.', name),
    'chat.toolGone': ({ name }) => t('There is no tool named “{0}” any more.', name),
    'chat.toolInputMalformed': () => t('The model sent arguments that are not valid JSON. The tool did not run.'),
    'chat.toolFailed': () => t('The tool could not be run.'),
    'chat.resultCut': ({ shown, total }) => t('Only the first {0} of {1} bytes are shown here.', shown, total),
    'chat.contentFailed': () => t('The content could not be read.'),
    'chat.contentEmpty': () => t('The server gave no content.'),
    ...attachSentences(t),
    'chat.compactionFailed': () => t('The summary could not be made, so the model still gets the whole conversation.'),
    'chat.compactionEmpty': () => t('The model gave no summary, so it still gets the whole conversation.'),
    'chat.compactionUnheard': () =>
      t(
        'Parts of this conversation were said to somebody else. Send a message first: you are asked whether they may go to who answers now.',
      ),
    'chat.nothingToCompact': () => t('There is nothing to compact yet.'),
    'chat.resultGone': () => t('This result is no longer kept.'),
    ...modelSentences(t),
  };
}

/** Of those who answer. */
function modelSentences(t: Translate): Pick<Sentences<typeof chatSentenceTable>, ModelCode> {
  return {
    'model.noKey': ({ host }) =>
      host === ''
        ? t('There is no API key for Anthropic yet.')
        : t('There is no API key for {0} yet. ANTHROPIC_API_KEY counts for Anthropic’s own address and for this machine only.', host),
    'model.badKey': () => t('Anthropic did not accept the API key.'),
    'model.badBaseUrl': () => t('The base URL for Anthropic in the settings is not a valid http or https address.'),
    'model.forbidden': () => t('The API key is not allowed to use this model.'),
    'model.billing': () => t('Anthropic reports a problem with billing for this API key.'),
    'model.notFound': ({ model }) => t('The model “{0}” was not found. Choose another model.', model),
    'model.noModel': () => t('The provider offers no model.'),
    'model.tooLarge': () => t('The conversation is too large to send. Start a new conversation.'),
    'model.vscodeNoPermission': () => t('VS Code did not let Duplex use this language model.'),
    'model.vscodeBlocked': () => t('The language model refused the request: a limit or a quota is reached, or the request was blocked.'),
    'model.vscodeFailed': () => t('VS Code’s language model could not answer.'),
    'model.noVscodeModels': () => t('VS Code has no language model here.'),
    'model.tooLong': () =>
      t('The conversation is longer than the model can read. Start a new conversation, or choose a model that reads more.'),
    'model.badRequest': () => t('The model provider could not accept the request.'),
    'model.rateLimited': () => t('The rate limit of the API key is reached. Wait a little and try again.'),
    'model.overloaded': () => t('The model provider is overloaded. Try again in a moment.'),
    'model.serverError': () => t('The model provider had an internal error. Try again.'),
    'model.unreachable': () => t('The model provider could not be reached. Check the network, the proxy and the base URL.'),
    'model.stream': () => t('The connection to the model broke off in the middle of the answer.'),
    'model.idle': ({ seconds }) => t('The model sent nothing for {0} s, so the answer was given up.', seconds),
  };
}

/** About what is attached to a message. */
function attachSentences(t: Translate): Pick<Sentences<typeof chatSentenceTable>, AttachCode> {
  return {
    'chat.tooManyAttachments': ({ count }) => t('At most {0} things can be attached to one message.', count),
    'chat.attachmentsTooLarge': ({ bytes }) =>
      t('That would be more than {0} MB attached to one message. Attach less, or a part of it.', bytes / 1_000_000),
    'chat.imageRefused': () => t('Only PNG, JPEG, GIF and WebP images and PDFs that models take can be attached.'),
    'chat.attachBinary': ({ name }) => t('“{0}” cannot be attached: it is neither text nor an image or PDF that models take.', name),
    'chat.attachTooLarge': ({ name }) => t('“{0}” is too large to be attached.', name),
    'chat.attachMissing': ({ name }) => t('“{0}” is not there any more, or cannot be read.', name),
    'chat.attachFailed': ({ name }) => t('“{0}” could not be attached.', name),
    'chat.argumentMissing': ({ name }) => t('“{0}” is needed.', name),
  };
}

type AttachCode =
  | 'chat.tooManyAttachments'
  | 'chat.attachmentsTooLarge'
  | 'chat.imageRefused'
  | 'chat.attachBinary'
  | 'chat.attachTooLarge'
  | 'chat.attachMissing'
  | 'chat.attachFailed'
  | 'chat.argumentMissing';
