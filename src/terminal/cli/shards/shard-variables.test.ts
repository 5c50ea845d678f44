/** Which part of a whole the environment asks for. */
import { expect, test } from 'vitest'
import { chosenShard } from './shard-variables.ts'

test.each([
  [{}, {}, undefined],
  [{ shard: '3/8' }, {}, { part: 3, of: 8, from: '--shard' }],
  [{ shard: '1/1' }, {}, undefined],
  [{ shards: 8 }, { JOB_COMPLETION_INDEX: '0' }, { part: 1, of: 8, from: 'JOB_COMPLETION_INDEX' }],
  [
    {},
    { JOB_COMPLETION_INDEX: '7', JOB_COMPLETIONS: '8' },
    { part: 8, of: 8, from: 'JOB_COMPLETION_INDEX' },
  ],
  [{}, { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' }, { part: 2, of: 4, from: 'CI_NODE_INDEX' }],
  [
    { shard: 'auto', shards: 8 },
    { JOB_COMPLETION_INDEX: '3' },
    { part: 4, of: 8, from: 'JOB_COMPLETION_INDEX' },
  ],
  [{ shard: 'auto', shards: 1 }, {}, undefined],
  // GitLab and CircleCI say 1 where a job is not cut.
  [{}, { CI_NODE_TOTAL: '1' }, undefined],
  [{}, { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '1' }, undefined],
  [
    {},
    { CIRCLE_NODE_INDEX: '3', CIRCLE_NODE_TOTAL: '4' },
    { part: 4, of: 4, from: 'CIRCLE_NODE_INDEX' },
  ],
  [
    { shard: '2/2' },
    { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' },
    { part: 2, of: 2, from: '--shard' },
  ],
])('flags %j in the environment %j', (flags, env, shard) => {
  expect(chosenShard(flags, env)).toEqual(shard)
})

test.each([
  [{}, { JOB_COMPLETION_INDEX: 'x', JOB_COMPLETIONS: '8' }],
  [{}, { JOB_COMPLETION_INDEX: '8', JOB_COMPLETIONS: '8' }],
  [{}, { JOB_COMPLETION_INDEX: '8' }],
  [{ shards: 4 }, {}],
  [{ shard: 'auto' }, {}],
  [{ shard: 'auto', shards: 4 }, {}],
  [{ shard: '0/4' }, {}],
])('flags %j in the environment %j are refused', (flags, env) => {
  expect(() => chosenShard(flags, env)).toThrow(/^reading (--shards?|JOB_COMPLETION_INDEX): /)
})
