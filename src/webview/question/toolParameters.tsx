import type { JSX } from 'preact';
import type { ToolParameter } from '../../contract/questions/toolQuestions.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';

/** What the model was told that the tool takes, one click away. */
export function ToolParameters({ parameters }: { readonly parameters: readonly ToolParameter[] }): JSX.Element | null {
  if (parameters.length === 0) {
    return null;
  }
  const hidden = parameters.at(-1)?.hidden;
  return (
    <Disclosure
      label={t('Parameters')}
      inside={plural(
        parameters.length + (hidden?.parameters ?? 0),
        () => t('1, as the model was told'),
        (count) => t('{0}, as the model was told', count),
      )}
    >
      <dl class="facts" aria-label={t('Parameters')}>
        {parameters.map((parameter, index) => (
          <div class="fact" key={index}>
            <dt>{wholeText(parameter.name)}</dt>
            <dd class="is-words">
              {linesOf(parameter).map((line, position) => (
                <span class="fact-value" key={position}>
                  {line}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {hidden !== undefined && <p class="secondary">{hiddenLine(hidden)}</p>}
    </Disclosure>
  );
}

/** The model was told all of it. */
function hiddenLine({ parameters, characters }: NonNullable<ToolParameter['hidden']>): string {
  const size = characters.toLocaleString('en');
  return plural(
    parameters,
    () => t('Not listed here, though the model was told: 1 more parameter, {0} characters in all.', size),
    (count) => t('Not listed here, though the model was told: {0} more parameters, {1} characters in all.', count, size),
  );
}

function linesOf({ type, isRequired, description, values, default: given, limits, isCut }: ToolParameter): readonly string[] {
  const kind = [type === '' ? t('any value') : wholeText(type), ...limits, ...(isRequired ? [t('required')] : [])].join(', ');
  return [
    kind,
    ...(description.trim() === '' ? [] : [wholeText(description)]),
    ...(values.length === 0 ? [] : [t('One of: {0}', values.map(wholeText).join(', '))]),
    ...(given === undefined ? [] : [t('Default: {0}', wholeText(given))]),
    ...(isCut ? [t('More is inside than is listed here.')] : []),
  ];
}
