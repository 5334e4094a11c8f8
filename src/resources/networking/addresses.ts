import type { Row } from '../resource.ts';

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipv4Text = `(?:${octet}\\.){3}${octet}`;
const group = '[0-9a-f]{1,4}';
const shortened = [1, 2, 3, 4, 5, 6].map((before) => `(?:${group}:){${before}}(?::${group}){1,${7 - before}}`);
const ipv6Text = `(?:${group}:){7}${group}|(?:${group}:){1,7}:|${shortened.join('|')}|:(?:(?::${group}){1,7}|:)`;

const ipv4 = new RegExp(`^${ipv4Text}$`);
const ipv6 = new RegExp(`^(?:${ipv6Text})$`, 'i');
const either = new RegExp(`^(?:${ipv4Text}|${ipv6Text})$`, 'i');

/** Whether a text is an IPv4 address. */
export const isIpv4 = (text: string): boolean => ipv4.test(text);

/** Whether a text is an IPv6 address, without a prefix length. */
export const isIpv6 = (text: string): boolean => ipv6.test(text);

/** The addresses of a server or NodeBalancer without their prefix lengths, and its host name. */
export const addressesOf = ({ ipv4, ipv6, hostname }: Row): readonly string[] =>
  [ipv4, ipv6, hostname]
    .flat()
    .flatMap((address) => (typeof address === 'string' ? [address.replace(/\/\d+$/, '').toLowerCase()] : []));

/** The rule of a list of IPv4 and IPv6 addresses. */
export const addressPattern = { test: either, says: 'IPv4 or IPv6 addresses' };

/** Whether an IPv4 address is private: 10/8, 172.16/12 or 192.168/16. */
export const isPrivateAddress = (text: string): boolean =>
  isIpv4(text) && /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(text);

/** A domain name as RFC 1035 has it, at most 255 characters, each label at most 63 (document 3, 2.1). */
export const domainPattern = {
  test: /^(?=.{1,255}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i,
  says: 'labels of 1–63 letters, digits and - with dots between, none beginning or ending with -',
};

/** Whether a text names a host: a domain name whose labels may also hold _, with or without the trailing period. */
export const isHostName = (text: string): boolean =>
  /^(?=.{1,254}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i.test(
    text,
  );
