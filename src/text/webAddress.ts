/** Longer addresses are no links. */
const maxUnits = 2000;

/**
 * The address that a text names, as a browser writes it: `http`, `https` or `mailto`, in printable ASCII, without a user
 * or password. A bare host is reached by `https`. Undefined for anything else.
 */
export function webAddress(text: string): string | undefined {
  if (text.length > maxUnits || !/^[^\s\p{C}]+$/u.test(text)) return undefined;
  const isHost = /^[^:/]+\.[^:/]+$/.test(text);
  const url = URL.parse(isHost ? `https://${text}/` : text);
  if (!url || !/^(?:https?|mailto):$/.test(url.protocol) || url.username || url.password) return undefined;
  return url.href.length <= maxUnits && /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
}
