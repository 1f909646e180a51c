import type { StartServerQuestion } from '../../../contract/questions/serverQuestions.ts';
import { startNotes } from '../../../contract/questions/startNotes.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

/** The fields whose whole value may be a note, and those whose value may end with one. Elsewhere every text is the definition's own. */
const wholeNotes = /^(?:executable|encryption|envFile\..+)$/;
const endingNotes = /^(?:batch file|dev\.debug|not set)$/;

/** The value of a field of a start question, with Duplex's own words in the language of the page. */
export function fieldText(name: string, value: string): string {
  if (wholeNotes.test(name)) {
    return noteText(value);
  }
  const note = endingNotes.test(name) ? Object.values(startNotes).find((each) => withoutBracket(value).endsWith(each)) : undefined;
  if (note === undefined) {
    return value;
  }
  const start = value.lastIndexOf(note);
  return `${value.slice(0, start)}${noteText(note)}${value.slice(start + note.length)}`;
}

/** What stands behind a value that the definition does not have like this. */
export function valueNote(note: NonNullable<StartServerQuestion['fields'][number]['note']>): string {
  return note === 'removed' ? t('(removed)') : t('(set as the batch file does)');
}

/** Which secret or variable goes where. */
export function disclosureText({ name, destination, isSignIn = false }: StartServerQuestion['disclosures'][number]): string {
  return isSignIn
    ? t('sends {0} to the authorization server of {1}, once you allow it', wholeText(name), wholeText(destination))
    : t('sends {0} to {1}', wholeText(name), wholeText(noteText(destination)));
}

/** A note in the language of the page; any other text as it is. */
function noteText(text: string): string {
  switch (text) {
    case startNotes.lookedUpLater:
      return t('looked up on the PATH of your login shell once you allow it');
    case startNotes.dependsOnInput:
      return t('depends on what you enter once you allow it');
    case startNotes.debuggerMeaning:
      return t('it can be debugged from this machine; the port 0 stands for a free one');
    case startNotes.readInstead:
      return t('it starts this program, so the program is started without it');
    case startNotes.runByInterpreter:
      return t('Windows runs it with cmd.exe');
    case startNotes.nothingStands:
      return t('this variable is not set where VS Code was started, so nothing stands in its place');
    case startNotes.fromFile:
      return t('a value from the envFile');
    case startNotes.notEncrypted:
      return t('none: headers, inputs, secrets and everything else sent to this address can be read and changed by others on the way');
    case startNotes.theCommand:
      return t('the command');
    case startNotes.fromEnvFile:
      return t('its environment, from the envFile');
    default:
      return text;
  }
}

function withoutBracket(value: string): string {
  return value.endsWith(')') ? value.slice(0, -1) : value;
}
