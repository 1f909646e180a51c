import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { settings, type Setting } from '../../../src/contract/settings/settings.ts';

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, JsonObject>> } };
}

const root = path.resolve(import.meta.dirname, '../../..');
const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const manifest = readJson('package.json') as Manifest;
const texts = readJson('package.nls.json') as Readonly<Record<string, string>>;
const declared = manifest.contributes.configuration.properties;
const table: readonly (readonly [name: string, setting: Setting])[] = Object.entries(settings);

/** Keys that only hold texts for people. */
const textKeys = ['description', 'markdownDescription', 'enumDescriptions', 'markdownEnumDescriptions', 'patternErrorMessage'];

describe('The settings in package.json', () => {
  it('are those of the contract, with their whole schema, scope and default', () => {
    const expected = table.map(([name, { schema, scope, default: preset, ignoreSync }]) => [
      name,
      { ...jsonSchemaOf(schema()), scope, default: preset, ...(ignoreSync === true ? { ignoreSync } : {}) },
    ]);
    const found = Object.entries(declared).map(([name, schema]) => [name, changed(schema, withoutTexts)]);
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
  });

  it('have a default that their own schema takes', () => {
    for (const [name, { schema, default: preset }] of table) {
      assert.equal(schema().safeParse(preset).success, true, name);
    }
  });

  it('are described, and so is every property, by a text that goes by its name', () => {
    const wrong = Object.entries(declared)
      .flatMap(([name, schema]) => propertiesIn(schema, name.replace('duplex.', 'setting.')))
      .filter(({ schema, key }) => (schema.markdownDescription ?? schema.description) !== `%${key}%` || !hasText(key))
      .map(({ key }) => key);
    assert.deepEqual(wrong, []);
  });

  it('have a text wherever they promise one, one for each value of an enumeration', () => {
    const wrong = Object.entries(declared).flatMap(([name, setting]) =>
      schemasIn(setting)
        .filter((schema) => !promisedTexts(schema).every(hasText) || !describesEveryValue(schema))
        .map(() => name),
    );
    assert.deepEqual(wrong, []);
  });

  it('that choose who hears the conversation, or speak in it, are the person’s alone', () => {
    const names = ['duplex.chat.provider', 'duplex.chat.model', 'duplex.anthropic.baseUrl', 'duplex.chat.instructions'];
    assert.deepEqual(
      names.filter((name) => table.find(([each]) => each === name)?.[1].scope !== 'application'),
      [],
    );
  });

  it('that a workspace can write do not count there before it is trusted', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const writable = table.filter(([, { scope }]) => scope !== 'application').map(([name]) => name);
    assert.deepEqual(restrictedConfigurations, writable);
  });
});

/** What the schema takes, as VS Code's dialect says it. */
function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const { $schema, ...generated } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  assert.ok($schema);
  return changed(generated as JsonObject, withoutTruisms);
}

/** In JSON every key is a text, and `{}` takes everything. */
function withoutTruisms({ propertyNames, additionalProperties, ...schema }: JsonObject): JsonObject {
  assert.ok(propertyNames === undefined || isSame(propertyNames, { type: 'string' }));
  return additionalProperties === undefined || isSame(additionalProperties, {}) ? schema : { ...schema, additionalProperties };
}

function withoutTexts(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !textKeys.includes(key)));
}

/** A schema with every schema inside it changed, and itself last. Names of properties are no keys of a schema. */
function changed(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const inside = (value: JsonValue | undefined): JsonValue | undefined => (isJsonObject(value) ? changed(value, change) : value);
  const members = Object.entries(schema).map(([key, value]): [string, JsonValue | undefined] => {
    if (key === 'properties' && isJsonObject(value)) {
      return [key, Object.fromEntries(Object.entries(value).map(([name, property]) => [name, inside(property)]))];
    }
    if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) {
      return [key, value.map((branch: JsonValue) => inside(branch) ?? branch)];
    }
    return [key, key === 'items' || key === 'additionalProperties' ? inside(value) : value];
  });
  return change(Object.fromEntries(members));
}

function schemasIn(schema: JsonObject): readonly JsonObject[] {
  const found: JsonObject[] = [];
  changed(schema, (each) => {
    found.push(each);
    return each;
  });
  return found;
}

/** By the key of the text, or empty where it is written out. */
function promisedTexts(schema: JsonObject): readonly string[] {
  const promised = textKeys.flatMap((key) => listOf(schema[key]));
  return promised.map((text) => (typeof text === 'string' ? (/^%(.+)%$/.exec(text)?.[1] ?? '') : ''));
}

function describesEveryValue({ enum: values, enumDescriptions, markdownEnumDescriptions }: JsonObject): boolean {
  const descriptions = enumDescriptions ?? markdownEnumDescriptions;
  return descriptions === undefined || listOf(descriptions).length === listOf(values).length;
}

interface Property {
  readonly key: string;
  readonly schema: JsonObject;
}

/** A setting and every property below it, by the key of its text. */
function propertiesIn(schema: JsonObject, key: string): readonly Property[] {
  return [{ key, schema }, ...propertiesBelow(schema, key)];
}

function propertiesBelow({ properties, items, additionalProperties, anyOf, oneOf }: JsonObject, key: string): readonly Property[] {
  const own = Object.entries(isJsonObject(properties) ? properties : {});
  const parts = [items, additionalProperties, anyOf, oneOf].flatMap(listOf);
  return [
    ...own.flatMap(([name, property]) => (isJsonObject(property) ? propertiesIn(property, `${key}.${name}`) : [])),
    ...parts.flatMap((part) => (isJsonObject(part) ? propertiesBelow(part, key) : [])),
  ];
}

function hasText(key: string): boolean {
  return (texts[key] ?? '').trim() !== '';
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : value === undefined ? [] : [value];
}

function isSame(value: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}
