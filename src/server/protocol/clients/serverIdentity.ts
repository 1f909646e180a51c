/** What the server says of itself, in either era. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** `version` is the extension's. */
export function identityOf(version: string): ServerIdentity {
  return { name: 'duplex', title: 'Duplex', version };
}

/** What both eras declare; tasks are declared by each in its own way. */
export const commonCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};
