import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { checkRules } from '../../src/program/config/checks.ts';

const rule = { for: 'servers', where: 'tag:prod', says: '{label} is {status}' };
const written = (more: Partial<typeof rule>) =>
  Object.entries({ ...rule, ...more })
    .map(([key, value]) => `${key} = '${value}'`)
    .join('\n');

const mistakes = (more: Partial<typeof rule>) =>
  parseConfig(`[[rules]]\n${written(more)}\nseverity = "warning"\n`, [checkRules]);

describe('a rule', () => {
  it.each([
    {},
    { where: 'cpu>90 !tag:prod' },
    { for: 'records', where: 'type:TXT', says: '{name} of {domain} is {{text}}' },
    { for: 'account', where: 'company:none', says: 'The company is missing' },
    { says: '{label} has {specs.gpus} GPUs, {quota} and {vcpu} at {ipv4.0}' },
  ])('may be %j', (more) => {
    expect(mistakes(more).mistakes).toEqual([]);
  });

  it.each([
    [{ for: 'server' }, undefined],
    [{ for: 'serverss' }, 'line 2: rules[1].for is "serverss", which is no area; did you mean servers?'],
    [{ for: 'stackscripts' }, 'whose rows are not all read, so no rule can examine them.'],
    [{ for: 'problems' }, 'whose rows are not all read, so no rule can examine them.'],
    [{ where: ' ' }, 'line 3: rules[1].where is empty, and every row would be a problem.'],
    [{ where: 'tag:prod colour:red' }, 'there is no field colour; there are'],
    [{ where: 'tag:prod colour:red' }, '(at character 10, "colour:red")'],
    [{ where: 'size>x' }, 'line 3: rules[1].where is no filter of servers: '],
    [{ where: '/x' }, 'the regular expression ends with a / (at its end)'],
    [{ says: '{lable} is off' }, 'line 4: rules[1].says has {lable}; did you mean {label}?'],
    [{ says: '{speks.vcpus}' }, 'did you mean {specs.vcpus}?'],
    [{ for: 'nodebalancers', where: 'ports:80', says: '{ports} are open' }, undefined],
    [{ says: '{a b}' }, 'which is no path of a row such as {label} or {specs.vcpus}.'],
  ])('%j: %s', (more, says) => {
    const { config, mistakes: found } = mistakes(more);
    expect(found.map(({ stops }) => stops)).toEqual(says === undefined ? [] : ['part']);
    if (says !== undefined) expect(found[0]?.says).toContain(says);
    expect(config.rules).toHaveLength(says === undefined ? 1 : 0);
  });
});
