import type { Cloud } from '../engine/cloud.ts';
import type { Entity } from '../engine/entity.ts';
import { serverEntity, serversOf, volumeEntity, volumesOf } from '../inventory.ts';
import { balancersOf } from '../networking/balancers.seed.ts';
import { balancerEntity } from '../networking/balancers.ts';
import { domainEntity, zonesOf } from '../networking/zones.seed.ts';

type Find = (cloud: Cloud, id: number) => Entity | undefined;

const found =
  <T>(thingsOf: (cloud: Cloud) => ReadonlyMap<number, T>, entity: (thing: T) => Entity): Find =>
  (cloud, id) => {
    const thing = thingsOf(cloud).get(id);
    return thing && entity(thing);
  };

/** Things that the API of the documents does not show, but a ticket can be about. */
const elsewhere: readonly Entity[] = [
  { id: 1201, label: 'edge', type: 'kubecluster', url: null },
  { id: 334, label: 'db-primary-monitor', type: 'monitor', url: null },
];

const unseen =
  (type: string): Find =>
  (_cloud, id) =>
    elsewhere.find((entity) => entity.type === type && entity.id === id);

/** Finds the thing that a field of a new ticket names, by field. */
const finders: Readonly<Record<string, Find>> = {
  server_id: found(serversOf, serverEntity),
  volume_id: found(volumesOf, volumeEntity),
  domain_id: found(zonesOf, domainEntity),
  nodebalancer_id: found(balancersOf, balancerEntity),
  kubecluster_id: unseen('kubecluster'),
  monitorclient_id: unseen('monitor'),
};

/** The thing that a field of a new ticket names; undefined where there is none. */
export const subjectOf = (cloud: Cloud, field: string, id: number): Entity | undefined => finders[field]?.(cloud, id);
