import type { JSX } from 'preact';
import type { SamplingQuestion } from '../../contract/questions/samplingQuestions.ts';
import { argumentsProblem } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { LeaveOut } from './leaveOut.tsx';
import { withEntry, type SamplingDraft, type ToolValues } from './samplingDraft.ts';
import { EditableText } from './samplingParts.tsx';

interface ToolsProps {
  readonly detail: SamplingQuestion;
  readonly draft: SamplingDraft;
}

/** Whole: what describes a tool is read by the model like any other text, and can be changed like it. */
export function SamplingTools({ detail: { tools, toolChoice }, draft }: ToolsProps): JSX.Element {
  const choice = { auto: '', required: t('It must ask for one of them.'), none: t('It may ask for none of them now.') }[
    toolChoice ?? 'auto'
  ];
  return (
    <div class="section" role="group" aria-label={t('Tools')}>
      <div class="section-label">{t('Tools of the server that the model may ask for')}</div>
      {tools.map((tool, index) => {
        const values = draft.values.tools[index];
        const change = (changed: Partial<ToolValues>): void => {
          if (values !== undefined) {
            draft.set({ tools: withEntry(draft.values.tools, index, { ...values, ...changed }) });
          }
        };
        return values === undefined ? null : <OneTool key={index} tool={tool} values={values} onChange={change} />;
      })}
      <p class="secondary">{`${choice} ${t('Nothing runs here: a call goes back to the server, and you see it first.')}`.trim()}</p>
    </div>
  );
}

interface OneToolProps {
  readonly tool: SamplingQuestion['tools'][number];
  readonly values: ToolValues;
  readonly onChange: (changed: Partial<ToolValues>) => void;
}

function OneTool({ tool, values, onChange }: OneToolProps): JSX.Element {
  const name = wholeText(tool.name);
  return (
    <div class="sampling-tool" role="group" aria-label={t('Tool {0}', name)}>
      <div class="sampling-tool-head">
        <code>{name}</code>
        <LeaveOut what={name} isLeftOut={values.isLeftOut} onChange={(isLeftOut) => onChange({ isLeftOut })} />
      </div>
      {!values.isLeftOut && (
        <>
          <EditableText
            label={t('Description of {0}', name)}
            heading={t('Description')}
            value={values.description}
            onChange={(description) => onChange({ description })}
            original={tool.description}
          />
          <EditableText
            label={t('Input schema of {0}', name)}
            heading={t('Input schema')}
            value={values.inputSchema}
            onChange={(inputSchema) => onChange({ inputSchema })}
            original={tool.inputSchema}
            problem={argumentsProblem(values.inputSchema)}
          />
        </>
      )}
    </div>
  );
}
