import * as z from 'zod';
import { type Say, sayInEnglish } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { remoteDefinition, stdioDefinition } from '../contract/definitionSchemas.ts';
import { keyHelp } from './helpTexts.ts';

/**
 * The form of a file with servers as a JSON schema, for the editor's own help with JSON where the language server is off. It
 * describes more than it forbids: the files belong to other tools, which know keys of their own.
 */
export function fileSchemaText(say: Say = sayInEnglish): string {
  const shapes = [stdioDefinition(), remoteDefinition()].map((schema) => z.toJSONSchema(schema, { io: 'input' }) as JsonObject);
  const properties = Object.assign({}, ...shapes.map((shape) => described(shape['properties'], '', say))) as JsonObject;
  const definition = {
    type: 'object',
    properties: { ...properties, type: { enum: ['stdio', 'http', 'sse', 'ws'], ...helpOf('type', say) } },
  };
  return JSON.stringify({ type: 'object', properties: { mcpServers: { type: 'object', additionalProperties: definition } } });
}

function described(properties: unknown, prefix: string, say: Say): JsonObject {
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const shape = isJsonObject(value) ? value : {};
      // A value that may be of several kinds has the keys of that which is an object.
      const kinds = [shape, ...(Array.isArray(shape['anyOf']) ? shape['anyOf'].filter(isJsonObject) : [])];
      const inside = kinds.find((kind) => isJsonObject(kind['properties']))?.['properties'];
      const inner = inside === undefined ? {} : { properties: described(inside, `${prefix}${key}.`, say) };
      return [key, { ...shape, ...inner, ...helpOf(`${prefix}${key}`, say) }];
    }),
  );
}

function helpOf(key: string, say: Say): JsonObject {
  const help = Object.entries(keyHelp).find(([known]) => known === key)?.[1];
  return help === undefined ? {} : { markdownDescription: say(help) };
}
