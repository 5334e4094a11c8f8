import { visibleJson } from '../text/escapes.ts';

/** The themes by name. */
export const themes = ['dark', 'light', 'high-contrast', 'mono'] as const;

/** The numbers of colours that may be sent, and their bits. */
export const colorDepths: Readonly<Record<string, 4 | 8 | 24>> = { 16: 4, 256: 8, truecolor: 24 };

/** The mistake in an address of the API, as the end of a sentence. */
export function addressMistake(value: string): string | undefined {
  const says = 'must be an address like https://api.example.com';
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return `${says}; it is ${quoted(value)}`;
  if (url.username || url.password) return `${says}, without a user or password in it`;
  if (url.search || url.hash) return `${says}, without ? or #; it is ${quoted(value)}`;
  if (/\/v4\/?$/.test(url.pathname)) return `must end before /v4, which is added to it; it is ${quoted(value)}`;
  return undefined;
}

/** A value for a sentence: short, and without control characters. */
export const quoted = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : visibleJson(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** Whether requests to an address can be read on the network; those to this machine cannot. */
export const isUnencrypted = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
};
