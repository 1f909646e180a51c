export interface ServerUrls {
  readonly mcp: string;
  readonly sse: string;
  readonly ws: string;
}

export function urlsOf(port: number, isSecure: boolean): ServerUrls {
  const origin = `127.0.0.1:${port}`;
  const [http, ws] = isSecure ? ['https', 'wss'] : ['http', 'ws'];
  return { mcp: `${http}://${origin}/mcp`, sse: `${http}://${origin}/sse`, ws: `${ws}://${origin}/ws` };
}

/** Both spellings of the listener's own address. */
export function originsOf(port: number, isSecure: boolean): readonly string[] {
  return ['127.0.0.1', 'localhost'].map((host) => new URL(`${isSecure ? 'https' : 'http'}://${host}:${port}`).origin);
}
