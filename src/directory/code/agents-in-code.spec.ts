import { AgentsInCode } from './agents-in-code.js';

const given = { origin: '@Assistant Desk', computerId: 'in-process', nowMs: 1000 };

describe('assistants in code', () => {
  it('are kept as they were when they came, whatever becomes of the options and of what others get', () => {
    const skill = { id: 's', name: 'S', tags: ['one'], examples: ['Say hello'] };
    const options = { handle: 'desk', account: { id: 'acct-team', username: 'team' }, skills: [skill] };
    const agents = new AgentsInCode();
    agents.add(options, given);
    skill.tags.push('two');
    skill.examples.push('Say more');
    options.skills.push({ ...skill, id: 'other' });
    const found = agents.findByAddress('team', 'desk');
    const kept = [{ id: 's', name: 'S', description: 'S', tags: ['one'], examples: ['Say hello'] }];
    expect(found?.skills).toEqual(kept);
    expect(() => found?.skills.pop()).toThrow(TypeError);
    expect(() => found?.skills[0]?.tags.push('three')).toThrow(TypeError);
    expect(() => found?.skills[0]?.examples?.push('three')).toThrow(TypeError);
    expect(agents.findById('team.desk')?.skills).toEqual(kept);
  });
});
