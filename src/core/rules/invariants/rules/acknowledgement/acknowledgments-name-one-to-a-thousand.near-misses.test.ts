/** Near misses of AK-6. */
import { acknowledged, call } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { acknowledgmentsNameOneToAThousand } from './acknowledgments-name-one-to-a-thousand.ts'

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `CREATED ${index}`)

const isMany = 'acknowledged 1001 events at once; 1 to 1000 are allowed'

nearMisses(acknowledgmentsNameOneToAThousand, [
  ['ORD-OPS-02', 'one id is few enough', acknowledged(0, ids(1)), 'passed'],
  ['ORD-OPS-02', '1,000 ids are few enough', acknowledged(0, ids(1000)), 'passed'],
  ['ORD-OPS-02', '1,001 ids are too many', acknowledged(0, ids(1001)), [[isMany, undefined, [0]]]],
  [
    'ORD-OPS-02',
    'no id is too few, whether or not it was refused, and each mistake is reported once',
    [0, 1, 2, 3].map((at) => acknowledged(at, ids(at < 2 ? 0 : 1001), { status: 400 })),
    [
      ['acknowledged no event at all', undefined, [0]],
      [isMany, undefined, [2]],
    ],
  ],
  [
    'ORD-OPS-02',
    'a body that is no list names no number of events',
    call(0, 'acknowledgeEvents', 400, { body: { eventIds: 'CREATED a' } }),
    'not-exercised',
  ],
])
