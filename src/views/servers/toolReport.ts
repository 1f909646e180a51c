import { revealInvisible } from '../../base/visibleText.ts';
import type { CheckedTool, ToolFinding } from '../../host/tools/checkTools.ts';
import type { Translate } from '../sentences/translate.ts';

type Severity = 'error' | 'warning' | 'note';

const severities: Readonly<Record<ToolFinding['kind'], Severity>> = {
  badName: 'error',
  badSchema: 'error',
  inputNotObject: 'error',
  unknownRequired: 'error',
  outputMisfit: 'error',
  badAnnotation: 'error',
  slowSchema: 'warning',
  longName: 'warning',
  noDescription: 'warning',
  undescribedParameters: 'warning',
  readOnlyDestructive: 'warning',
  unlikelyReadOnly: 'warning',
  unlikelyHarmless: 'warning',
  noAnnotations: 'note',
  outputUnseen: 'note',
};

/** How many names one finding lists at most. */
const maxNames = 20;

/**
 * Writes what is wrong with the tools of a server as Markdown, the worst first. Whatever the server says appears in it as plain
 * text only.
 */
export function toolReport(server: string, tools: readonly CheckedTool[], t: Translate): string {
  const all = tools.flatMap(({ findings }) => findings.map(({ kind }) => severities[kind]));
  const count = (wanted: Severity): number => all.filter((severity) => severity === wanted).length;
  const worst = ({ findings }: CheckedTool): number => Math.min(3, ...findings.map(({ kind }) => order.indexOf(severities[kind])));
  const found = tools.filter(({ findings }) => findings.length > 0).sort((one, other) => worst(one) - worst(other));
  const fine = tools.filter(({ findings }) => findings.length === 0);
  const parts = [
    `# ${t('The tools of {0}', code(server))}`,
    t('{0} tools: {1} errors, {2} warnings, {3} notes.', tools.length, count('error'), count('warning'), count('note')),
    ...found.map((tool) => toolPart(tool, t)),
    ...(fine.length === 0 ? [] : [`## ${t('Nothing to say about')}\n\n${fine.map(({ name }) => code(name)).join(', ')}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const order: readonly Severity[] = ['error', 'warning', 'note'];

function toolPart({ name, findings }: CheckedTool, t: Translate): string {
  const words = { error: t('Error'), warning: t('Warning'), note: t('Note') };
  const lines = order.flatMap((severity) =>
    findings.filter(({ kind }) => severities[kind] === severity).map((finding) => `- **${words[severity]}:** ${sentence(finding, t)}`),
  );
  return `## ${code(name)}\n\n${lines.join('\n')}`;
}

function sentence(finding: ToolFinding, t: Translate): string {
  switch (finding.kind) {
    case 'badName':
      return t('The name is not legal: letters, digits, {0}, 128 at most.', '`_` `-` `.`');
    case 'longName':
      return t('The name is longer than the 64 characters that models take; they will know it by another.');
    case 'noDescription':
      return t('There is no description: a model cannot know when to call it.');
    case 'undescribedParameters':
      return t('Parameters without a description: {0}.', codes(finding.names));
    case 'inputNotObject':
      return t('The input schema is not of type {0}.', '`object`');
    case 'unknownRequired':
      return t('Required, but not among the properties: {0}.', codes(finding.names));
    case 'badSchema':
      return finding.of === 'input'
        ? t('The input schema cannot be used: {0}', code(finding.reason))
        : t('The output schema cannot be used: {0}', code(finding.reason));
    case 'slowSchema':
      return finding.of === 'input'
        ? t('The input schema could not be checked: {0}', code(finding.reason))
        : t('The output schema could not be checked: {0}', code(finding.reason));
    case 'noAnnotations':
      return t('There are no annotations: hosts take it for a tool that may destroy.');
    case 'badAnnotation':
      return t('{0} is neither true nor false.', code(finding.name));
    case 'readOnlyDestructive':
      return t('It says that it only reads and that it destroys.');
    case 'unlikelyReadOnly':
      return t('It says that it only reads, but its name says {0}.', code(finding.word));
    case 'unlikelyHarmless':
      return t('It says that it destroys nothing, but its name says {0}.', code(finding.word));
    case 'outputMisfit':
      return t('Its last result does not fit its output schema: {0}', code(finding.reason));
    case 'outputUnseen':
      return t('Its output schema was not held against a result yet: run the tool and check again.');
  }
}

function codes(names: readonly string[]): string {
  return `${names.slice(0, maxNames).map(code).join(', ')}${names.length > maxNames ? ' …' : ''}`;
}

/** Makes text of a server a code span on one line, which the text cannot leave. */
function code(text: string): string {
  return `\`${revealInvisible(text).replaceAll('`', '´').replace(/\s+/g, ' ').trim().slice(0, 300) || ' '}\``;
}
