import { isNearby } from '../resources/ipAddress.ts';

/** The proxies that an environment names. */
export interface Proxies {
  /** For `http:` addresses, and for `https:` where there is no other. */
  http?: ProxyServer;
  https?: ProxyServer;
  /** Hosts that are reached directly, as NO_PROXY lists them. */
  except: string;
}

/** One proxy. */
export interface ProxyServer {
  /** With the name and password that it may take. */
  address: string;
  /** Without them. */
  shown: string;
  /** Never shown: the password, as it is written and as it is meant. */
  secrets: readonly string[];
  /** The variable that names it. */
  from: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The names of a variable, the one that counts first. */
const namesOf = (name: string) => [name, name.toUpperCase()];

/**
 * The proxies of an environment; undefined where it names none.
 * @throws an Error of one sentence, without the password, when one is no address of a proxy
 */
export function proxiesIn(env: Environment): Proxies | undefined {
  const set = (name: string) => namesOf(name).find((one) => env[one]);
  const proxyIn = (name: string | undefined) => (name === undefined ? undefined : proxyOf(name, env[name] ?? ''));
  const [http, https] = [proxyIn(set('http_proxy')), proxyIn(set('https_proxy'))];
  return http || https ? { http, https, except: env[set('no_proxy') ?? ''] ?? '' } : undefined;
}

function proxyOf(from: string, value: string): ProxyServer {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new Error(`${from} must be an http or https address such as http://proxy.example.com:3128.`);
  const secrets = [url.password, decoded(url.password)].filter(Boolean);
  return { address: url.href, shown: `${url.protocol}//${url.host}`, secrets, from };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('The password of a proxy must write a % as %25.');
  }
}

/** The proxy that an address is reached through; undefined where it is reached directly, as this machine always is. */
export function proxyFor(origin: string, proxies: Proxies | undefined): ProxyServer | undefined {
  const url = proxies && URL.parse(origin);
  if (!url || isNearby(url.hostname) || isExcepted(url, proxies.except)) return undefined;
  return url.protocol === 'https:' ? (proxies.https ?? proxies.http) : proxies.http;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Whether NO_PROXY names a host: `*`, `example.com` or `.example.com` with all below it, `*.example.com` without
 * itself, an address; each may have a port.
 */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname);
  const entries = list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean);
  return entries.some((entry) => {
    const [, name = entry, ownPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (ownPort !== undefined && ownPort !== (port || defaultPorts[protocol])) return false;
    if (name === '*') return true;
    const domain = bare(name).replace(/^\*?\./, '');
    return (host === domain && !name.startsWith('*')) || host.endsWith(`.${domain}`);
  });
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1').replace(/(.)\.$/, '$1');
