import type { Cloud } from '../engine/cloud.ts';
import type { Random } from '../engine/random.ts';
import type { BalancerTree, Port } from './balancerRows.ts';
import { balancersOf } from './balancers.seed.ts';
import { balancerEntity } from './balancers.ts';

/** A deployment keeps a node out of rotation so long, in seconds. */
const lasts = 45;

/** A deployment takes a node out of rotation, and puts it back when it is through; what was made since is left alone. */
export function deploy(cloud: Cloud, random: Random): void {
  const members = [...balancersOf(cloud).values()].flatMap((tree) =>
    tree.ports.flatMap(({ nodes }) =>
      nodes
        .filter(({ node, since }) => since < cloud.options.time && node.mode === 'accept')
        .map((member) => ({ tree, member })),
    ),
  );
  const chosen = members[random.integer(0, members.length - 1)];
  if (!chosen) return;
  turn(cloud, chosen.tree, chosen.member, 'drain');
  cloud.after(lasts, () => {
    if (chosen.member.node.mode === 'drain') turn(cloud, chosen.tree, chosen.member, 'accept');
  });
}

function turn(cloud: Cloud, tree: BalancerTree, member: Port['nodes'][number], mode: string): void {
  member.node = { ...member.node, mode };
  const message = `${member.node.label} to ${mode}`;
  cloud.log.note({
    action: 'nodebalancer_node_update',
    entity: balancerEntity(tree),
    username: 'deploy-bot',
    message,
  });
}
