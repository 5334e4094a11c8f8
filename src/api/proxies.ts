import { isNearby } from '../resources/ipAddress.ts';

/** The proxies that the environment names. */
export interface Proxies {
  /** For `http:` addresses, and for `https:` when there is no `https` proxy. */
  http?: ProxyServer;
  https?: ProxyServer;
  /** Hosts that are reached directly, as NO_PROXY lists them. */
  noProxy: string;
}

/** One proxy. */
export interface ProxyServer {
  /** With user name and password, if any. */
  address: string;
  /** The address without user name and password. */
  label: string;
  /** Never shown: the password, percent-encoded and decoded. */
  secrets: readonly string[];
  /** The environment variable that names it. */
  variable: string;
}

/**
 * The proxies of an environment; undefined when it names none.
 * Throws an Error of one sentence, without the password, when an address is invalid.
 */
export function proxiesIn(env: Readonly<Record<string, string | undefined>>): Proxies | undefined {
  // The first spelling takes precedence.
  const set = (name: string) => [name, name.toUpperCase()].find((one) => env[one]);
  const proxyIn = (name: string | undefined) => (name === undefined ? undefined : proxyOf(name, env[name] ?? ''));
  const [http, https] = [proxyIn(set('http_proxy')), proxyIn(set('https_proxy'))];
  return http || https ? { http, https, noProxy: env[set('no_proxy') ?? ''] ?? '' } : undefined;
}

function proxyOf(from: string, value: string): ProxyServer {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new Error(`${from} must be an http or https address such as http://proxy.example.com:3128.`);
  const secrets = [url.password, decoded(url.password)].filter(Boolean);
  return { address: url.href, label: `${url.protocol}//${url.host}`, secrets, variable: from };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('The password of a proxy must be percent-encoded: write a % as %25.');
  }
}

/** The proxy for an address; undefined when it is reached directly, as this machine always is. */
export function proxyFor(origin: string, proxies: Proxies | undefined): ProxyServer | undefined {
  const url = proxies && URL.parse(origin);
  if (!url || isNearby(url.hostname) || bypassesProxy(url, proxies.noProxy)) return undefined;
  return url.protocol === 'https:' ? (proxies.https ?? proxies.http) : proxies.http;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Whether NO_PROXY lists a host. Entries: `*`, `example.com` or `.example.com` (with subdomains), `*.example.com`
 * (subdomains only), an address; each may have a port.
 */
function bypassesProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bareHost(hostname);
  const entries = list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean);
  return entries.some((entry) => {
    const [, name = entry, entryPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (entryPort !== undefined && entryPort !== (port || defaultPorts[protocol])) return false;
    if (name === '*') return true;
    const domain = bareHost(name).replace(/^\*?\./, '');
    return (host === domain && !name.startsWith('*')) || host.endsWith(`.${domain}`);
  });
}

const bareHost = (host: string) => host.replace(/^\[(.*)\]$/, '$1').replace(/(.)\.$/, '$1');
