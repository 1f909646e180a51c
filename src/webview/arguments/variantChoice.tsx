import type { JSX } from 'preact';
import type { ArgumentPath, ArgumentVariant } from '../../contract/argumentFields.ts';
import { valueAt } from '../../schemaForms/argumentValues.ts';
import { valueForVariant } from '../../schemaForms/startingValues.ts';
import { t } from '../shared/localize.ts';
import type { ArgumentsDraft } from './argumentsDraft.ts';
import { variantLabels } from './argumentTexts.ts';

interface VariantChoiceProps {
  /** Of the value that is of one of these kinds. */
  readonly label: string;
  readonly variants: readonly ArgumentVariant[];
  readonly path: ArgumentPath;
  readonly draft: ArgumentsDraft;
  readonly chosen: number | undefined;
  readonly isRequired: boolean;
}

export function VariantChoice({ label, variants, path, draft, chosen, isRequired }: VariantChoiceProps): JSX.Element {
  const labels = variantLabels(variants);
  const choose = (text: string): void => {
    const variant = variants[text === '' ? -1 : Number(text)];
    draft.set(path, variant && valueForVariant(variant.field, valueAt(draft.value ?? {}, path)));
    draft.choose(path, variant && variants.indexOf(variant));
  };
  return (
    <select
      class="input variant-choice"
      aria-label={t('Kind of {0}', label)}
      value={chosen === undefined ? '' : String(chosen)}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {(chosen === undefined || !isRequired) && <option value="">{t('Not given')}</option>}
      {labels.map((each, index) => (
        <option key={each} value={String(index)}>
          {each}
        </option>
      ))}
    </select>
  );
}
