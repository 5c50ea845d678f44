/** Near misses of AK-3. */
import {
  acknowledged,
  created,
  moved,
  polled,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { createChance } from '../../../../engine/chance.ts'
import { newEventId } from '../../../../engine/event-id.ts'
import { onlyDeliveredIdsAreAcknowledged } from './only-delivered-ids-are-acknowledged.ts'

const strange = (id: string, status: number): string =>
  `acknowledged the id "${id}", which no event sent to it has; it got a ${status}.`

const earlierId = newEventId(createChance(1))
const otherDigit = `${earlierId.startsWith('0') ? '1' : '0'}${earlierId.slice(1)}`

/** So many finished orders that the first of them are no longer tracked. */
const many = Array.from({ length: 4001 }, (_, index) => [
  created(0, `old-${index}`),
  moved(0, `old-${index}`, 'DELIVERED'),
])

nearMisses(onlyDeliveredIdsAreAcknowledged, [
  [
    'ORD-OPS-02',
    'the id of an event, though no poll showed it',
    [created(0, 'a'), acknowledged(0, ['CREATED a'])],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'an id in another case, reported once',
    [created(0, 'a'), [0, 1].map((at) => acknowledged(at, ['created a']))],
    [[strange('created a', 202), undefined, [0]]],
  ],
  [
    'ORD-OPS-02',
    'each of two ids, whatever the reply',
    [created(0, 'a'), acknowledged(0, ['a', 'CREATED a', 'b'], { status: 400 })],
    [
      [strange('a', 400), undefined, [0]],
      [strange('b', 400), undefined, [0]],
    ],
  ],
  [
    'ORD-OPS-02',
    'an id that a fault invented and a poll showed',
    [polled(0, ['X_HINT x']), acknowledged(1, ['X_HINT x'])],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'an id that a poll shows afterwards',
    [acknowledged(0, ['X_HINT x']), polled(1, ['X_HINT x'])],
    [[strange('X_HINT x', 202), undefined, [0]]],
  ],
  ['ORD-OPS-02', 'no id at all', acknowledged(0, []), 'not-exercised'],
  [
    'ORD-OPS-02',
    'an event that is no longer tracked, and the host still has',
    [many, acknowledged(1, ['CREATED old-0'])],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'one that the host never had, where some are no longer tracked',
    [many, acknowledged(1, ['CREATED x'])],
    [[strange('CREATED x', 202), undefined, [1]]],
  ],
  [
    'ORD-OPS-02',
    'an event of an earlier session',
    [created(0, 'a'), acknowledged(1, [earlierId])],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'one of an earlier session, and another that differs in one digit or in case',
    [created(0, 'a'), acknowledged(1, [earlierId, otherDigit, earlierId.toUpperCase()])],
    [
      [strange(otherDigit, 202), undefined, [1]],
      [strange(earlierId.toUpperCase(), 202), undefined, [1]],
    ],
  ],
])
