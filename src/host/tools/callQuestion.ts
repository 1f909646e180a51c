import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { shownAsker } from '../../consent/openQuestions.ts';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import type { CallToolQuestion, OtherTool, ToolParameter } from '../../contract/questions/toolQuestions.ts';
import { readableArgumentForm } from '../../schemaForms/argumentForm.ts';
import { parameterRows } from '../../schemaForms/toolArguments.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import { readableJson } from '../shared/shownJson.ts';
import { claimsOf, type ToolOfServer } from './callRequest.ts';

/** With `isShown` false, form and parameters are left out: they can take long for a large schema, and nobody will see them. */
export function callQuestion({ server, tool, risk }: ToolOfServer, asker: Asker, args: JsonObject, isShown = true): CallToolQuestion {
  const form = isShown && !hasLongName(args) ? readableArgumentForm(tool.inputSchema) : undefined;
  return {
    kind: 'callTool',
    asker: shownAsker(asker),
    server: revealInvisible(server),
    tool: revealInvisible(tool.name),
    ...definitionOf(tool, isShown),
    arguments: readableJson(args),
    ...(form === undefined ? {} : { form }),
    ...(tool.page !== undefined && { isOfApp: true }),
    risk,
  };
}

/** The longest name in arguments that are shown as a form: every field within it has it in its place. Others are shown as JSON. */
const maxNameInForm = 1_000;

function hasLongName(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).some(hasLongName);
  }
  return isJsonObject(value) && Object.entries(value).some(([name, member]) => name.length > maxNameInForm || hasLongName(member));
}

/** Describes another tool of the server within the same question. */
export function otherToolOf(tool: ToolInfo): OtherTool {
  return { name: revealInvisible(tool.name), ...definitionOf(tool, true) };
}

function definitionOf({ title, description, annotations, inputSchema }: ToolInfo, isShown: boolean): Omit<OtherTool, 'name'> {
  return {
    ...(title === undefined ? {} : { title: revealInvisible(title) }),
    description: revealInvisible(description),
    claims: claimsOf(annotations ?? {}),
    parameters: isShown ? parameterRows(inputSchema).map(revealParameter) : [],
  };
}

/** Makes invisible characters visible in what the model was told of a parameter. */
function revealParameter(row: ToolParameter): ToolParameter {
  const { name, type, description, values, default: given } = row;
  return {
    ...row,
    name: revealInvisible(name),
    type: revealInvisible(type),
    description: revealInvisible(description),
    values: values.map(revealInvisible),
    ...(given === undefined ? {} : { default: revealInvisible(given) }),
  };
}
