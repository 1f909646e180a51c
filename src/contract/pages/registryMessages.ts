import * as z from 'zod';
import { formField, formValue } from '../forms/formFields.ts';

const way = z.object({
  /** Unique within its server. */
  id: z.string(),
  /** What kind of package it is, or `remote`. */
  kind: z.string(),
  /** The package with its version, or the address. */
  shown: z.string(),
  /** Why it cannot be installed, in a sentence. */
  problem: z.string().optional(),
});

/** What the person is asked about before a bundle is downloaded. */
const download = z.object({
  host: z.string(),
  /** The name under which the registry lists it. */
  publisher: z.string(),
  sha256: z.string(),
  /** The most megabytes that are downloaded; a larger bundle is refused. */
  maxMegabytes: z.number(),
  /** How far it is; undefined while it is not being downloaded. */
  progress: z.object({ received: z.number(), total: z.number().optional() }).optional(),
  problem: z.string().optional(),
});

const card = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  /** ISO; empty where the registry does not say. */
  updated: z.string(),
  repository: z.string(),
  website: z.string(),
  isDeprecated: z.boolean(),
  ways: z.array(way),
  /** How many packages and addresses cannot be read. */
  unreadable: z.number(),
  installed: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      version: z.string().optional(),
      /** The newer version, where there is one. */
      newer: z.string().optional(),
    }),
  ),
});
export type RegistryCard = Readonly<z.infer<typeof card>>;

const installForm = z.object({
  name: z.string(),
  title: z.string(),
  /** What the server would be called in the settings. */
  suggestedName: z.string(),
  ways: z.array(
    way.extend({
      /** What has to be installed first, in a sentence. */
      missing: z.string().optional(),
      /** The form follows once the bundle is there. */
      download: download.optional(),
      /** What was downloaded: its name, version and author, and how much it is. */
      fetched: z.object({ what: z.string(), bytes: z.number(), files: z.number() }).optional(),
      fields: z.array(z.object({ field: formField, isSecret: z.boolean(), isNeeded: z.boolean(), after: z.string().optional() })),
    }),
  ),
  /** What would be written, once the person has asked to see it. */
  review: z
    .object({
      lines: z.array(z.object({ label: z.string(), value: z.string() })),
      places: z.array(z.enum(['user', 'workspace'])),
    })
    .optional(),
  problem: z.string().optional(),
});
export type RegistryInstallForm = Readonly<z.infer<typeof installForm>>;

const update = z.object({
  title: z.string(),
  server: z.string(),
  location: z.string(),
  /** What would be written; nothing while that is not known. */
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  /** The bundle that has to be downloaded first. */
  bundle: way.extend({ download }).optional(),
  /** Why it cannot be done. */
  problem: z.string().optional(),
});
export type RegistryUpdate = Readonly<z.infer<typeof update>>;

/** All that the page shows. */
const registryPage = z.object({
  /** The host of the registry; empty where none is configured. */
  host: z.string(),
  search: z.string(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('off') }),
    z.object({ kind: z.literal('loading') }),
    z.object({ kind: z.literal('failed'), text: z.string() }),
    z.object({ kind: z.literal('listed') }),
  ]),
  cards: z.array(card),
  /** Whether the registry has more than the cards, also while more is being read and when that failed. */
  hasMore: z.boolean(),
  install: installForm.optional(),
  update: update.optional(),
});
export type RegistryPageState = Readonly<z.infer<typeof registryPage>>;

const name = z.string().max(200);

export const registryToHost = {
  ready: z.object({}),
  'registry/search': z.object({ text: z.string().max(200) }),
  'registry/more': z.object({}),
  /** Asks the registry again, whatever was kept of its answers. */
  'registry/refresh': z.object({}),
  'registry/choose': z.object({ name }),
  /** Leads back to the list. */
  'registry/back': z.object({}),
  /** Downloads the bundle of a way: the answer to the question about it. */
  'registry/download': z.object({ way: z.string().max(40) }),
  /** The other answer: it is not downloaded. Leads back to the list. */
  'registry/refuseDownload': z.object({ way: z.string().max(40) }),
  'registry/stopDownload': z.object({}),
  'registry/review': z.object({ way: z.string().max(40), name, values: z.record(z.string().max(500), formValue) }),
  /** Something in the form was changed: what was reviewed does not count any more. */
  'registry/edit': z.object({}),
  /** Writes what was reviewed last. */
  'registry/install': z.object({ place: z.enum(['user', 'workspace']) }),
  /** Shows what an update would change. */
  'registry/update': z.object({ name, server: z.string().max(1_000) }),
  'registry/applyUpdate': z.object({}),
  'registry/open': z.object({ name, page: z.enum(['repository', 'website']) }),
  'registry/settings': z.object({}),
};

export const registryToView = { 'registry/page': registryPage };
