import type { ToolParameter } from '../../../src/contract/questions/toolQuestions.ts';
import { argumentForm } from '../../unit/schemaForms/support.ts';

const schema = {
  type: 'object',
  properties: {
    sides: { type: 'integer', minimum: 2, maximum: 1000, default: 6, description: 'How many sides each die has.' },
    count: { type: 'integer', minimum: 1 },
  },
} as const;
const sides: ToolParameter = {
  name: 'sides',
  type: 'integer',
  isRequired: false,
  description: 'How many sides each die has.',
  values: [],
  default: '6',
  limits: ['minimum 2', 'maximum 1000'],
  isCut: false,
};

/** A call that the offline guide wants to make; the panel and the chat show the same card. */
export function callQuestion(args: object, detail: object = {}, more: object = {}): object {
  return {
    askId: 'ask',
    detail: {
      kind: 'callTool',
      asker: { kind: 'guide' },
      server: 'demo',
      tool: 'roll_dice',
      description: 'Rolls dice.',
      claims: [],
      parameters: [sides],
      arguments: JSON.stringify(args, undefined, 2),
      form: argumentForm(schema),
      risk: 'unknown',
      ...detail,
    },
    why: 'new',
    differences: [],
    choices: ['deny', 'allowOnce', 'allowSession'],
    ...more,
  };
}
