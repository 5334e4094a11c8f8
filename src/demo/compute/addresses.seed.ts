/** Only ranges set aside for documentation and benchmarks are used, so that no address is anybody's. */
const documentation = ['192.0.2', '198.51.100', '203.0.113'];
const perBlock = 240;

/** The public IPv4 address of this number, from 0; they do not repeat below 123 000. */
export function publicAddress(number: number): string {
  const block = documentation[Math.floor(number / perBlock)];
  if (block) return `${block}.${(number % perBlock) + 10}`;
  const rest = number - documentation.length * perBlock;
  const high = Math.floor(rest / perBlock);
  return `198.${18 + (Math.floor(high / 256) % 2)}.${high % 256}.${(rest % perBlock) + 10}`;
}

/** The private IPv4 address of this number, from 0; they do not repeat below 30 000. */
export const privateAddress = (number: number): string =>
  `192.168.${128 + (Math.floor(number / perBlock) % 128)}.${(number % perBlock) + 10}`;

/** The IPv6 address of this number, from 0, with its prefix length. */
export const ipv6Address = (number: number): string =>
  `3fff:100:${(number >> 16).toString(16)}:1::f03c:${((number & 0xffff) + 0x1000).toString(16)}/128`;
