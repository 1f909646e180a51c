export interface OfferedResource {
  readonly serverId: string;
  /** The server's name as people know it. */
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
}

/** A template for the addresses of resources, such as `notes://{day}`. */
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

/** The resources and prompts of running servers, in the servers' own words. */
export interface ContentOffers {
  readonly resources: readonly OfferedResource[];
  readonly templates: readonly OfferedTemplate[];
  readonly prompts: readonly OfferedPrompt[];
}

interface FromServer {
  readonly serverId: string;
  readonly server: string;
  readonly name: string;
}

/** A resource or prompt that is to become part of the conversation. */
export type ContentWish =
  | (FromServer & { readonly kind: 'resource'; readonly uri: string })
  | (FromServer & { readonly kind: 'prompt'; readonly description: string; readonly arguments: Readonly<Record<string, string>> });
