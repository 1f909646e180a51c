import { errorMaker, type SentenceTable } from '../../base/errors.ts';

/** What a model provider can fail with. The codes are stable. */
export const modelSentenceTable = {
  'chat.destinationChanged': 'The address of the model changed while the answer was written, so nothing more was sent.',
  /** The host is empty for Anthropic's own address. */
  'model.noKey': {
    ifGiven: 'host',
    text: 'There is no API key for {host} yet. ANTHROPIC_API_KEY counts for Anthropic’s own address and for this machine only.',
    otherwise: 'There is no API key for Anthropic yet.',
  },
  'model.badKey': 'Anthropic did not accept the API key.',
  'model.badBaseUrl': 'The base URL for Anthropic in the settings is not a valid http or https address.',
  'model.forbidden': 'The API key is not allowed to use this model.',
  'model.billing': 'Anthropic reports a problem with billing for this API key.',
  'model.notFound': 'The model “{model}” was not found. Choose another model.',
  'model.noModel': 'The provider offers no model.',
  'model.tooLarge': 'The conversation is too large to send. Start a new conversation.',
  'model.vscodeNoPermission': 'VS Code did not let Duplex use this language model.',
  'model.vscodeBlocked': 'The language model refused the request: a limit or a quota is reached, or the request was blocked.',
  'model.vscodeFailed': 'VS Code’s language model could not answer.',
  'model.noVscodeModels': 'VS Code has no language model here.',
  'model.tooLong': 'The conversation is longer than the model can read. Start a new conversation, or choose a model that reads more.',
  'model.badRequest': 'The model provider could not accept the request.',
  'model.rateLimited': 'The rate limit of the API key is reached. Wait a little and try again.',
  'model.overloaded': 'The model provider is overloaded. Try again in a moment.',
  'model.serverError': 'The model provider had an internal error. Try again.',
  'model.unreachable': 'The model provider could not be reached. Check the network, the proxy and the base URL.',
  'model.stream': 'The connection to the model broke off in the middle of the answer.',
  'model.idle': 'The model sent nothing for {seconds} s, so the answer was given up.',
} as const satisfies SentenceTable;

/** Makes the errors of model providers. */
export const modelError = errorMaker(modelSentenceTable);
