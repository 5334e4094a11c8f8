import { isIpv6, isPrivateAddress } from '../ipAddress.ts';

/**
 * The pattern of names and labels in managed monitoring, which is not bound to their begin and end: so many of these
 * characters in a row must occur.
 */
export const plainName = (least: number) => ({
  test: new RegExp(`[a-zA-Z0-9_ .-]{${least}}`),
  says: `a text with ${least} letters, digits, spaces, - . or _ in a row`,
  whole: true as const,
});

/** The host that an address of a service names: `https://me@10.0.0.5:8443/up?x=1` and `10.0.0.5:5432` both name `10.0.0.5`. */
export function hostOf(address: string): string {
  const [authority = ''] = address
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split(/[/?#]/);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // An IPv6 address stands in brackets before a port, or without both.
  const [, bracketed] = /^\[([^\]]*)\]/.exec(host) ?? [];
  return bracketed ?? (isIpv6(host) ? host : host.replace(/:\d*$/, ''));
}

/** Whether the address of a service is a private IP address, which can only be reached in its region (document 3, 4.4). */
export const isPrivateService = (address: string): boolean => isPrivateAddress(hostOf(address));
