import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject } from '../base/json.ts';
import { textsOf, type DefinitionText } from '../definitions/definitionTexts.ts';
import { withEnvironmentNames } from '../definitions/foreignFile.ts';
import { readInputs } from '../definitions/readInputs.ts';
import { inputsIn, unknownVariablesIn } from '../definitions/variables.ts';
import { isOwnSetting, type DocumentKind } from './documentKind.ts';
import type { Problem, ProblemSeverity, ProblemWords } from './problem.ts';

const known = '${workspaceFolder}, ${workspaceFolder:NAME}, ${userHome}, ${env:NAME}, ${input:ID}';

/** Where the inputs of a document stand; other hosts' files have none that count here. */
const inputsPath: Readonly<Record<DocumentKind, readonly string[] | undefined>> = {
  settings: ['duplex.inputs'],
  workspaceFile: ['settings', 'duplex.inputs'],
  vscodeMcp: ['inputs'],
  mcpJson: undefined,
  claudeDesktop: undefined,
};

/** The ids that definitions in the document can refer to: those of the same place, and only usable ones. */
export function knownInputs(root: Node, kind: DocumentKind): ReadonlySet<string> {
  const path = inputsPath[kind];
  const node = path === undefined ? undefined : findNodeAtLocation(root, [...path]);
  const inputs: unknown = node === undefined ? undefined : getNodeValue(node);
  const isNotReportedHere = (): void => undefined;
  return new Set(readInputs({ scope: 'user', inputs }, isNotReportedHere).keys());
}

export interface VariableScope {
  readonly kind: DocumentKind;
  readonly inputs: ReadonlySet<string>;
  /** Of the document. */
  readonly source: string;
}

/** A variable that nobody can expand and an input that is not defined: each keeps the server from starting. */
export function checkVariables(definition: Node, scope: VariableScope): readonly Problem[] {
  const raw: unknown = getNodeValue(definition);
  const severity: ProblemSeverity = isOwnSetting(scope.kind) ? 'error' : 'warning';
  return textsOf(isJsonObject(raw) ? raw : {}).flatMap((each) => {
    const found = wordsOf(each, scope);
    const node = found.length === 0 ? undefined : findNodeAtLocation(definition, [...each.path]);
    const places = node && placesIn(node, scope.source);
    return places === undefined ? [] : found.map(({ expression, ...words }) => ({ ...places(expression), severity, ...words }));
  });
}

function wordsOf(each: DefinitionText, { kind, inputs }: VariableScope): readonly (ProblemWords & { readonly expression: string })[] {
  // In `.mcp.json` a plain name is one of the environment.
  const text = kind === 'mcpJson' ? String(withEnvironmentNames(each.text)) : each.text;
  const unknown = [...new Set(unknownVariablesIn(text))].map((expression) => {
    return { expression, code: 'unknownVariable' as const, args: { variable: `\${${expression}}`, known } };
  });
  const used = [...new Set(inputsIn(text))].map((input) => ({ input, expression: `input:${input}` }));
  if (!each.mayHaveInput) {
    const args = { key: each.path.join('.') };
    return [...unknown, ...used.map(({ expression }) => ({ expression, code: 'inputNotHere' as const, args }))];
  }
  const missing = used.filter(({ input }) => !inputs.has(input));
  return [...unknown, ...missing.map(({ input, expression }) => ({ expression, code: 'unknownInput' as const, args: { input } }))];
}

/** Each on the variable itself, unless that is written with escapes. */
function placesIn({ offset, length }: Node, source: string): (expression: string) => { readonly start: number; readonly end: number } {
  const written = new Map(
    [...source.slice(offset, offset + length).matchAll(/\$\{([^}]*)\}/g)].map(({ 1: expression, index }) => [expression, index]),
  );
  return (expression) => {
    const at = written.get(expression);
    const start = offset + (at ?? 0);
    return { start, end: at === undefined ? offset + length : start + expression.length + '${}'.length };
  };
}
