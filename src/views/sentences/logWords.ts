import type { LogFinding } from '../../host/logDiagnosis.ts';
import type { Translate } from './translate.ts';

/** What a server's log shows, and what to do about it. */
export function logWords(finding: LogFinding, t: Translate): { readonly sentence: string; readonly advice?: string } {
  switch (finding.kind) {
    case 'missingVariable':
      return {
        sentence: t('Its log says that the variable {0} is missing.', finding.name),
        advice: t('Give it {0} under “env” in its definition, then start it again.', finding.name),
      };
    case 'missingModule':
      return {
        sentence: t('Its log says that it does not find {0}.', finding.name),
        advice: t('Install what the server needs where it runs, then start it again.'),
      };
    case 'addressInUse':
      return {
        sentence: t('Its log says that another program has its port.'),
        advice: t('End the other program, or give the server another port, then start it again.'),
      };
    case 'strayOutput':
      return {
        sentence: t(
          'Its log shows {0} lines or more on its standard output that are not messages of the protocol, so that it cannot be understood.',
          finding.count,
        ),
        advice: t('It is not an MCP server, or writes its log to the wrong place: that belongs on standard error. Check its command.'),
      };
    case 'errorLine':
      return { sentence: t('The last thing its log says:') };
  }
}
