import type { Region as RegionRow } from '../../resources/compute/regions.ts';
import type { Stored } from '../engine/cloud.ts';

/** A data centre (document 1, 2.10), with the place its label names. */
export type Region = Stored<RegionRow> & { label: string; resolvers: { ipv4: string; ipv6: string } };

const everywhere = ['Servers', 'Block Storage', 'NodeBalancers'];

const places: readonly (readonly [id: string, label: string, country: string, more: readonly string[]])[] = [
  ['us-east', 'Newark, NJ', 'us', ['Object Storage', 'Vlans', 'GPU Servers']],
  ['us-west', 'Fremont, CA', 'us', []],
  ['us-central', 'Dallas, TX', 'us', ['Vlans']],
  ['us-southeast', 'Atlanta, GA', 'us', ['Object Storage', 'Vlans']],
  ['us-ord', 'Chicago, IL', 'us', ['Object Storage', 'Vlans']],
  ['ca-central', 'Toronto, CA', 'ca', ['Vlans']],
  ['eu-west', 'London, UK', 'gb', ['Vlans']],
  ['eu-central', 'Frankfurt, DE', 'de', ['Object Storage', 'Vlans']],
  ['fr-par', 'Paris, FR', 'fr', ['Object Storage', 'Vlans']],
  ['ap-west', 'Mumbai, IN', 'in', []],
  ['ap-south', 'Singapore, SG', 'sg', ['Object Storage', 'GPU Servers']],
  ['ap-northeast', 'Tokyo 2, JP', 'jp', []],
  ['ap-southeast', 'Sydney, AU', 'au', ['Vlans']],
];

/** Every region, as it is when all is well. */
export const regions: readonly Region[] = places.map(([id, label, country, more], place) => ({
  id,
  label,
  country,
  capabilities: [...everywhere, ...more],
  status: 'ok',
  resolvers: {
    ipv4: [2, 3, 4].map((host) => `198.51.100.${place * 8 + host}`).join(','),
    ipv6: [2, 3, 4].map((host) => `3fff:100:53:${(place + 1).toString(16)}::${host}`).join(','),
  },
}));
