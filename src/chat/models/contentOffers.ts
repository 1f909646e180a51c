export interface OfferedResource {
  readonly serverId: string;
  /** As people call it. */
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
}

/** Resources whose addresses are made of a pattern: `notes://{day}`. */
export interface OfferedTemplate extends Omit<OfferedResource, 'uri'> {
  readonly uriTemplate: string;
}

export interface OfferedPrompt {
  readonly serverId: string;
  readonly server: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
}

/** What running servers have, in their own words. */
export interface ContentOffers {
  readonly resources: readonly OfferedResource[];
  readonly templates: readonly OfferedTemplate[];
  readonly prompts: readonly OfferedPrompt[];
}

interface FromServer {
  readonly serverId: string;
  readonly server: string;
  readonly name: string;
  /** Who let it be read, for the record: the person, who named it, unless it says otherwise. */
  readonly decidedBy?: 'person' | 'remembered' | 'nobody' | undefined;
}

/** What is to become part of the conversation. */
export type ContentWish =
  | (FromServer & { readonly kind: 'resource'; readonly uri: string })
  | (FromServer & { readonly kind: 'prompt'; readonly description: string; readonly arguments: Readonly<Record<string, string>> });
