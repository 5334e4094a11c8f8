import { durationText } from '../../text/times.ts';
import { labelled } from '../field.ts';
import type { CacheView, Complaint, DescribedFields, Draft, Field, Params, Row } from '../resource.ts';

/** The text that stands for a certificate or key in answers (document 3, 2.4). */
export const hiddenPem = '<REDACTED>';

/** Whether a text holds a PEM block of what its label ends with. */
const hasPem = (entry: string, label: string) =>
  new RegExp(`-----BEGIN (?:[A-Z0-9]+ )*${label}-----[\\s\\S]+-----END (?:[A-Z0-9]+ )*${label}-----`).test(entry);

/**
 * Certificates as they are sent: with line breaks, also where they were pasted with `\n` written out; what only stands for one
 * that is hidden is left out.
 */
export function withPem({ ssl_cert, ssl_key, ...rest }: Row): Row {
  const pem = Object.entries({ ssl_cert, ssl_key }).flatMap(([name, text]) =>
    typeof text === 'string' && text !== hiddenPem ? [[name, String(text).replaceAll('\\n', '\n').trim()]] : [],
  );
  return { ...rest, ...Object.fromEntries(pem) };
}

/** Complains about a port that another config has, and about half a pair of certificate and key. */
export function checkConfig(
  draft: Draft,
  view: CacheView,
  config: Row | undefined,
  params: Params,
): Complaint | undefined {
  const others = view
    .rows('nodebalancer-configs', { nodeBalancerId: params.nodeBalancerId ?? '' })
    .filter(({ id }) => id !== config?.id);
  if (draft.port && others.some(({ port }) => String(port) === draft.port))
    return { field: 'port', says: `port ${draft.port} already has a config` };
  if (draft.protocol !== 'https' || !config) return undefined;
  const half = ['ssl_cert', 'ssl_key'].filter((name) => draft[name] === hiddenPem);
  return half.length === 1 && half[0]
    ? { field: half[0], says: 'a new certificate needs its own key; enter both' }
    : undefined;
}

/**
 * The fields of a config (document 3, 2.4) in the order of a form, for a form of its own or within that of a new NodeBalancer.
 * @param prefix what stands before their names: `configs.0.` or nothing
 * @param has whether the draft has the config at all
 */
export function configFields(
  prefix = '',
  has: (draft: Draft) => boolean = () => true,
): Readonly<Record<string, Field>> {
  const section = prefix === '' ? {} : { section: `Port ${Number(prefix.replace(/\D/g, '')) + 1}` };
  const value = (name: string, draft: Draft, config?: Row) => draft[`${prefix}${name}`] ?? config?.[name];
  const is =
    (name: string, ...values: readonly string[]) =>
    (draft: Draft, config?: Row) =>
      has(draft) && values.includes(String(value(name, draft, config) ?? ''));
  const secure = is('protocol', 'https');
  const checked = is('check', 'connection', 'http', 'http_body');
  const fields = { ...trafficFields(has, is), ...pemFields(secure, prefix), ...checkFields(has, checked, is, value) };
  return Object.fromEntries(
    Object.entries(labelled(fields)).map(([name, field]) => [`${prefix}${name}`, { ...field, ...section }]),
  );
}

type Is = (name: string, ...values: readonly string[]) => (draft: Draft, config?: Row) => boolean;

const trafficFields = (has: (draft: Draft) => boolean, is: Is): DescribedFields => ({
  port: { kind: 'integer', min: 1, max: 65535, help: 'The port it listens on; unique on one NodeBalancer.' },
  protocol: {
    optionHelp: {
      http: 'without a certificate',
      https: 'terminates TLS; needs a certificate and key',
      tcp: 'passes connections through',
    },
    shown: has,
  },
  algorithm: {
    optionHelp: {
      roundrobin: 'each node in turn',
      leastconn: 'the node with the fewest connections',
      source: 'the same remote address to the same node',
    },
    shown: has,
  },
  stickiness: {
    optionHelp: {
      none: 'by the algorithm alone',
      table: 'the same remote address stays with its node',
      http_cookie: 'by a cookie; with http and https only',
    },
    shown: has,
    check: (entry, draft, _view, config) =>
      entry === 'http_cookie' && is('protocol', 'tcp')(draft, config)
        ? 'must not be http_cookie with tcp; choose none or table'
        : undefined,
  },
  proxy_protocol: {
    label: 'PROXY protocol',
    options: ['none', 'v1', 'v2'],
    optionHelp: { v1: 'the client address in a human-readable header', v2: 'the client address in a binary header' },
    fallback: 'none',
    shown: has,
  },
});

function pemFields(secure: (draft: Draft, config?: Row) => boolean, prefix: string): DescribedFields {
  const rules = {
    kind: 'secretParagraph',
    hidden: hiddenPem,
    shown: secure,
    needed: (draft: Draft) => secure(draft),
  } as const;
  const wrong = (what: string, label: string) => (entry: string) => {
    if (entry === hiddenPem || hasPem(entry, label)) return undefined;
    if (/^[~./]/.test(entry)) return 'is the path of a file; press ctrl-o to read it';
    return `must be the text of ${what}, from -----BEGIN ${label}----- to -----END ${label}-----`;
  };
  return {
    ssl_cert: {
      ...rules,
      label: 'Certificate',
      check: wrong('a certificate, alone or with its chain', 'CERTIFICATE'),
      help: 'Paste it, or type the path of its file and press ctrl-o.',
    },
    ssl_key: {
      ...rules,
      label: 'Private key',
      check: wrong('the private key', 'PRIVATE KEY'),
      certificate: `${prefix}ssl_cert`,
      help: 'The key of the certificate. Paste it, or type the path of its file and press ctrl-o.',
    },
    cipher_suite: {
      options: ['recommended', 'legacy'],
      optionHelp: { legacy: 'insecure; for very old clients' },
      shown: secure,
    },
  };
}

const checkFields = (
  has: (draft: Draft) => boolean,
  checked: (draft: Draft, config?: Row) => boolean,
  is: Is,
  value: (name: string, draft: Draft, config?: Row) => unknown,
): DescribedFields => ({
  check: {
    label: 'Health check',
    optionHelp: {
      none: 'only the passive check',
      connection: 'a connection is accepted',
      http: 'the path responds with 2xx or 3xx',
      http_body: 'the response contains a text',
    },
    shown: has,
  },
  check_path: {
    emptied: '',
    pattern: { test: /^[a-zA-Z0-9/\-%?&=.]*$/, says: 'letters, digits and . / - % ? & =' },
    shown: is('check', 'http', 'http_body'),
    help: 'The URL path requested from each node, e.g. /health.',
  },
  check_body: {
    emptied: '',
    shown: is('check', 'http_body'),
    needed: is('check', 'http_body'),
    help: 'The text that the response must contain.',
  },
  check_interval: { kind: 'integer', min: 1, unit: 's', shown: checked, help: 'Time between two checks.' },
  check_timeout: {
    kind: 'integer',
    min: 1,
    max: 30,
    unit: 's',
    shown: checked,
    check: (entry, draft, _view, config) => {
      const interval = Number(value('check_interval', draft, config) || Number.POSITIVE_INFINITY);
      return Number(entry) > interval
        ? `must not be longer than the check interval of ${durationText(interval)}, or checks overlap`
        : undefined;
    },
    help: 'How long an attempt may take; at most the check interval.',
  },
  check_attempts: {
    kind: 'integer',
    min: 1,
    max: 30,
    shown: checked,
    help: 'Failed attempts before a node counts as down.',
  },
  check_passive: {
    label: 'Passive check',
    kind: 'boolean',
    shown: has,
    help: 'Any 5xx response takes a node out of rotation.',
  },
});

/** The entries with which the form of a new config starts, besides its port. */
export const newConfig = { protocol: 'http', algorithm: 'roundrobin', stickiness: 'table', check: 'connection' };

/** The names of the fields of a config in the order of a form. */
export const configFieldNames = Object.keys(configFields());
