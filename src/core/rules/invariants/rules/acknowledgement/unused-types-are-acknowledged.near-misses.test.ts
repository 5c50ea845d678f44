/** Near misses of AK-2. */
import {
  acknowledged,
  call,
  created,
  polled,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { unusedTypesAreAcknowledged } from './unused-types-are-acknowledged.ts'

const late = 120_001
const polledOnce = (eventId: string): Steps => [created(0, 'a'), polled(0, [eventId]), { at: late }]

nearMisses(unusedTypesAreAcknowledged, [
  [
    'ORD-OPS-02',
    'an event with a status belongs to AK-1',
    polledOnce('CONFIRMED a'),
    'not-exercised',
  ],
  [
    'ORD-OPS-02',
    'an event without a status',
    polledOnce('PREPARATION_REQUESTED a'),
    [['returned PREPARATION_REQUESTED of o1, which reports no status, once, and', 'a', [0]]],
  ],
  [
    'ORD-OPS-02',
    'one that only V1 has',
    polledOnce('PICKUP_AREA_ASSIGNED a'),
    [['PICKUP_AREA_ASSIGNED of o1, which reports no status, once', 'a', [0]]],
  ],
  [
    'ORD-OPS-02',
    'one of an unknown type',
    polledOnce('X_HINT a'),
    [['X_HINT of o1, an unknown type, once', 'a', [0]]],
  ],
  [
    'ORD-OPS-02',
    'one without a type',
    [
      created(0, 'a'),
      call(0, 'pollingEvents', 200, { answer: [{ eventId: 'e', orderId: 'a' }] }),
      { at: late },
    ],
    [['an event without a type of o1, an unknown type, once', 'a', [0]]],
  ],
  [
    'ORD-OPS-02',
    'it was acknowledged',
    [created(0, 'a'), polled(0, ['X_HINT a']), acknowledged(1, ['X_HINT a']), { at: late }],
    'passed',
  ],
])
