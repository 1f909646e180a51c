import { lookup } from 'node:dns/promises';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { BlockList, connect, createServer, isIP, type ListenOptions, type Server as NetServer, type Socket } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { isLoopbackHost } from '../../base/addresses.ts';

export interface BoxProxyOptions {
  /** The folder for the sockets; only the box and this process see it. Without it the proxy is a port of this machine. */
  readonly folder?: string | undefined;
  /** What programs must know to be let in, where others could ask, too. */
  readonly password?: string | undefined;
  readonly hosts: readonly string[];
  /** Hears of each host that the server wanted and may not reach, as `host` or `host:port`. */
  readonly onRefused: (host: string) => void;
  /** Finds the addresses of a name: this machine's own way, if not given. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
  /** Makes a connection to an address: this machine's own way, if not given. */
  readonly dial?: ((target: Target) => Socket) | undefined;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** The name of the socket that leads to a port of this machine. */
export function portSocket(port: number): string {
  return `port-${port}.sock`;
}

export const proxySocket = 'proxy.sock';

const usualPorts: readonly number[] = [80, 443];
const passwordWanted = 'Basic realm="box"';
/** The most connections of confined programs that the proxy holds at a time. */
const maxConnections = 200;
/** How long, in ms, a tunnel through the proxy may carry nothing before it is closed. */
const idleMs = 10 * 60_000;

/** Addresses that no name leads to: this machine, the neighbours of its network card, and what clouds tell their machines. */
const neverReached = new BlockList();
neverReached.addSubnet('0.0.0.0', 8, 'ipv4');
neverReached.addSubnet('127.0.0.0', 8, 'ipv4');
neverReached.addSubnet('169.254.0.0', 16, 'ipv4');
neverReached.addAddress('100.100.100.200', 'ipv4');
neverReached.addAddress('192.0.0.192', 'ipv4');
neverReached.addAddress('168.63.129.16', 'ipv4');
neverReached.addAddress('::', 'ipv6');
neverReached.addAddress('::1', 'ipv6');
neverReached.addSubnet('fe80::', 10, 'ipv6');
neverReached.addSubnet('fd00:ec2::', 32, 'ipv6');
neverReached.addSubnet('fd20:ce::', 32, 'ipv6');

/** Addresses of the person's own network, which `*` does not mean. */
const ownNetwork = new BlockList();
ownNetwork.addSubnet('10.0.0.0', 8, 'ipv4');
ownNetwork.addSubnet('100.64.0.0', 10, 'ipv4');
ownNetwork.addSubnet('172.16.0.0', 12, 'ipv4');
ownNetwork.addSubnet('192.168.0.0', 16, 'ipv4');
ownNetwork.addSubnet('fc00::', 7, 'ipv6');

/** The variables by which programs find the proxy. */
export function proxyVariables(proxy: string): Readonly<Record<string, string>> {
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: 'localhost,127.0.0.1',
    no_proxy: 'localhost,127.0.0.1',
    // Node itself asks no proxy unless it is told to.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** The ports of this machine among the hosts of a box. */
export function portsIn(hosts: readonly string[]): readonly number[] {
  return hosts.flatMap((host) => {
    const { name, port } = partsOf(host);
    return isLoopbackHost(name) && port !== undefined && port > 0 && port < 65_536 ? [port] : [];
  });
}

/** By which of the hosts a target may be reached; undefined when it is by none. A host without a port means those of http and https. */
export function allowingHost({ host, port }: Target, hosts: readonly string[]): string | undefined {
  const wanted = host.toLowerCase().replace(/\.$/, '');
  return hosts.find((each) => {
    const { name, port: only } = partsOf(each);
    const isPort = only === undefined ? usualPorts.includes(port) : only === port;
    return (
      isPort && !isLoopbackHost(name) && (name === '*' || name === wanted || (name.startsWith('*.') && wanted.endsWith(name.slice(1))))
    );
  });
}

/** Whether an address is never reached, or not by the host that allows it. */
export function isClosedAddress(address: string, by: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) {
    return isClosedAddress(mapped, by);
  }
  return neverReached.check(address, family) || (partsOf(by).name === '*' && ownNetwork.check(address, family));
}

function partsOf(host: string): { readonly name: string; readonly port: number | undefined } {
  const [, name = host, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return { name: name.toLowerCase(), port: port === undefined ? undefined : Number(port) };
}

/**
 * The only way out of a box: an HTTP proxy on a socket that leads to the allowed hosts, and a socket for each allowed port of this
 * machine. It carries bytes and reads none of what is encrypted.
 */
export class BoxProxy {
  readonly #options: BoxProxyOptions;
  readonly #http: Server;
  readonly #ports: readonly NetServer[];
  /** What a program has to say to be let in. */
  readonly authorization: string | undefined;
  readonly #open = new Set<Duplex>();
  readonly #refused = new Set<string>();

  private constructor(options: BoxProxyOptions) {
    this.#options = options;
    const { password, folder } = options;
    this.authorization = password === undefined ? undefined : `Basic ${Buffer.from(`duplex:${password}`).toString('base64')}`;
    this.#http = createHttpServer((request, response) => void this.#forward(request, response));
    this.#http.maxConnections = maxConnections;
    this.#http.on('connection', (socket) => this.#hold(socket));
    this.#http.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => void this.#tunnel(request, socket, head));
    const ports = folder === undefined ? [] : portsIn(options.hosts);
    this.#ports = ports.map((port) => createServer((socket) => this.#join(socket, connect(port, '127.0.0.1'))));
  }

  static async listen(options: BoxProxyOptions): Promise<BoxProxy> {
    const proxy = new BoxProxy(options);
    const { folder, hosts } = options;
    if (folder === undefined) {
      await listening(proxy.#http, { port: 0, host: '127.0.0.1' });
      return proxy;
    }
    const ports = portsIn(hosts);
    await listening(proxy.#http, { path: path.join(folder, proxySocket) });
    await Promise.all(proxy.#ports.map((server, index) => listening(server, { path: path.join(folder, portSocket(ports[index] ?? 0)) })));
    return proxy;
  }

  /** The port of this machine that it is, if it is one. */
  get port(): number {
    const address = this.#http.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  close(): void {
    [this.#http, ...this.#ports].forEach((server) => server.close());
    this.#open.forEach((socket) => socket.destroy());
  }

  #isLetIn({ headers }: IncomingMessage): boolean {
    return this.authorization === undefined || headers['proxy-authorization'] === this.authorization;
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    this.#hold(socket);
    if (!this.#isLetIn(request)) {
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${passwordWanted}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { url = '' } = request;
    const address = await this.#addressOf(targetOf(`http://${url}`)).catch(() => 'unknown' as const);
    if (socket.destroyed) {
      return; // the program has gone, or the proxy was closed: nobody would ever close the connection out
    }
    if (address === undefined || address === 'unknown') {
      const status = address === undefined ? '403 Forbidden' : '502 Bad Gateway';
      socket.end(`HTTP/1.1 ${status}\r\nX-Duplex-Box: ${address ?? 'refused'}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const out = this.#dial(address);
    out.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      out.write(head);
    });
    this.#join(socket, out);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isLetIn(request)) {
      response.writeHead(407, { 'Proxy-Authenticate': passwordWanted }).end();
      return;
    }
    const target = targetOf(request.url ?? '');
    const address = await this.#addressOf(target).catch(() => 'unknown' as const);
    if (request.socket.destroyed) {
      return;
    }
    if (address === undefined) {
      response.writeHead(403, { 'X-Duplex-Box': 'refused' }).end('This server runs confined and may not reach this host.\n');
      return;
    }
    if (address === 'unknown') {
      response.writeHead(502, { 'X-Duplex-Box': 'unknown' }).end('The name of this host is not known.\n');
      return;
    }
    const { pathname, search, host } = new URL(request.url ?? '');
    // The password is for this proxy alone.
    const headers: IncomingHttpHeaders = { ...request.headers, host };
    delete headers['proxy-authorization'];
    const way = { createConnection: () => this.#dial(address), path: `${pathname}${search}`, setHost: false };
    const out = httpRequest({ ...way, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    out.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    request.pipe(out);
  }

  /** The address to connect to: the very one that was looked at. */
  async #addressOf(target: Target | undefined): Promise<Target | undefined> {
    if (target === undefined) {
      return undefined;
    }
    const by = allowingHost(target, this.#options.hosts);
    if (by === undefined) {
      this.#refuse(target);
      return undefined;
    }
    const resolve = this.#options.resolve ?? ((host) => lookup(host, { all: true }).then((found) => found.map(({ address }) => address)));
    const found = isIP(target.host) === 0 ? await resolve(target.host) : [target.host];
    const host = found.find((address) => !isClosedAddress(address, by));
    if (host === undefined && found.length > 0) {
      this.#refuse(target);
    }
    return host === undefined ? undefined : { host, port: target.port };
  }

  #dial(target: Target): Socket {
    const socket = this.#options.dial?.(target) ?? connect(target);
    this.#hold(socket);
    return socket;
  }

  /** An address that no answer of the person would open is not told. */
  #refuse({ host, port }: Target): void {
    if (isLoopbackHost(host) || (isIP(host) !== 0 && isClosedAddress(host, host))) {
      return;
    }
    const name = usualPorts.includes(port) ? host : `${host}:${port}`;
    if (!this.#refused.has(name) && this.#refused.size < 50) {
      this.#refused.add(name);
      this.#options.onRefused(name);
    }
  }

  #join(one: Duplex, other: Socket): void {
    this.#hold(one);
    this.#hold(other);
    other.setTimeout(idleMs, () => other.destroy());
    one.on('close', () => other.destroy());
    other.on('close', () => one.destroy());
    one.pipe(other).pipe(one);
  }

  #hold(socket: Duplex): void {
    if (!this.#open.has(socket)) {
      this.#open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#open.delete(socket));
    }
  }
}

/** Where a request wants to go; undefined for what is no such address. */
function targetOf(url: string): Target | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'http:' && host !== '' && host.length < 254 ? { host, port: port === '' ? 80 : Number(port) } : undefined;
}

function listening(server: NetServer, place: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
