/** Near misses of RT-7. */
import { call, created, faultFired } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { hungCallsAreAbandoned } from './hung-calls-are-abandoned.ts'

const due = 120_000
const late = due + 1
const on = 'req(getOrder,o1)'
const order = created(0, 'a')
const hung = (at: number, point = on, orderId?: string): Steps =>
  faultFired(at, point, {
    distortion: { effect: false, end: 'hang' },
    ...(orderId === undefined ? {} : { orderId }),
  })
/** The service closes the connection. */
const givenUp = (took: number, point = on, failure = 'HUNG'): Steps =>
  call(0, 'getOrder a', 0, { took, fault: `fail on ${point}`, failure })
const waits = (of = ' of o1', since = '15:00:00.000', seconds = 120): string =>
  `has been waiting for ${seconds} s for the reply to a call${of} that never came (${on}, at ${since}).`
const none = undefined

nearMisses(hungCallsAreAbandoned, [
  ['ORD-GEN-05', 'a call hangs until the deadline', [order, hung(0), { at: due }], 'open'],
  ['ORD-GEN-05', 'it still does', [order, hung(0), { at: late }], [[waits(''), none, []]]],
  [
    'ORD-GEN-05',
    'one about an order',
    [order, hung(0, on, 'a'), { at: late }],
    [[waits(), 'a', []]],
  ],
  ['ORD-GEN-05', 'it was given up at the deadline', [order, hung(0), givenUp(due)], 'passed'],
  [
    'ORD-GEN-05',
    'later',
    [order, hung(0), givenUp(late)],
    [['The service waited 120 s for a reply to the GET of o1.', 'a', [0]]],
  ],
  [
    'ORD-GEN-05',
    'another call was',
    [order, hung(0), givenUp(1, 'req(getOrder,o2)'), { at: 1 + late }],
    [[waits(''), none, []]],
  ],
  [
    'ORD-GEN-05',
    'it ended in another way',
    [order, hung(0), givenUp(1, on, 'RESET'), { at: 1 + late }],
    [[waits(''), none, []]],
  ],
  [
    'ORD-GEN-05',
    'of two the later one still hangs, reported once',
    [order, hung(0), hung(1000), hung(1000), givenUp(5000), { at: 5000 + late }],
    [[waits('', '15:00:01.000', 124), none, []]],
  ],
  [
    'ORD-GEN-05',
    'both were given up',
    [order, hung(0), hung(0), givenUp(5000), givenUp(5000), { at: late }],
    'passed',
  ],
  [
    'ORD-GEN-05',
    'a call is answered with an error',
    [order, faultFired(0, on), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-GEN-05',
    'a call of ours hangs',
    [order, hung(0, 'ev(o1,CREATED,webhook)'), { at: late }],
    'not-exercised',
  ],
])
