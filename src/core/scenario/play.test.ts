// @module-tag slow
/** Steps, waits, checks and verdicts of a run against the reference subject on a virtual clock. */
import { expect, test } from 'vitest'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import {
  playInProcess,
  type InProcessPlayOptions,
} from '../../../test/support/play-scenario-in-process.ts'
import { adviceMeaningOf } from '../rules/invariants/verdict.ts'
import type { ScenarioOutcome } from './outcome.ts'
import { readRuns } from './read.ts'

type Written = Readonly<Record<string, unknown>>

async function played(
  written: Written,
  options: InProcessPlayOptions = {},
): Promise<ScenarioOutcome> {
  const runs = readRuns(
    { name: 'a', about: 'b', orders: { o1: { type: 'TAKEOUT' } }, ...written },
    checkSchema,
  )
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  const [run] = runs.value
  if (!run) throw new Error('there is no run')
  return playInProcess(run, options)
}

const because = ({ failures }: ScenarioOutcome): readonly string[] =>
  failures.map((each) => each.because)

test('a wait that times out reports what it saw, and later steps are skipped', async () => {
  const outcome = await played({
    steps: [
      { create: 'o1' },
      { await: { call: 'dispatchOrder', order: 'o1', within: '7s' } },
      { advance: '1h' },
    ],
  })
  expect(because(outcome)).toEqual([
    'step 2 (wait for the call dispatchOrder of o1, 7s at most): it did not come in time: seen never',
  ])
  expect(outcome.steps.map(({ result }) => result)).toEqual(['done', 'failed', 'skipped'])
  const [created, waited] = outcome.steps
  expect(waited!.at - created!.at).toBe(0)
  // After a failed step the run still recovers and is judged.
  expect(outcome.orders).toMatchObject([
    { slot: 'o1', statuses: expect.arrayContaining(['CONCLUDED']) },
  ])
  expect(outcome.verdicts.length).toBeGreaterThan(40)
})

test('after a failed step a service that acknowledges nothing gets one time to recover, not two', async () => {
  const outcome = await played(
    {
      steps: [{ create: 'o1' }, { await: { call: 'dispatchOrder', order: 'o1', within: '60s' } }],
    },
    { defects: ['acks-nothing'] },
  )
  expect(because(outcome).join('\n')).toContain('it did not come in time: seen never')
  expect(outcome.tookMs).toBeGreaterThan(60_000 + 120_000)
  expect(outcome.tookMs).toBeLessThan(60_000 + 2 * 120_000)
})

test('a call about an order that is over is awaited for a minute of silence, not until its limit', async () => {
  const waiting = { await: { call: 'dispatchOrder', order: 'o1', within: '15m' } }
  const outcome = await played({ steps: [{ create: 'o1' }, waiting] })
  expect(because(outcome)).toEqual([expect.stringContaining('it did not come in time: seen never')])
  expect(outcome.tookMs).toBeGreaterThan(60_000)
  expect(outcome.tookMs).toBeLessThan(180_000)
})

test('steps: any: a wait that times out ends the steps, and fails nothing', async () => {
  const waiting = { await: { call: 'dispatchOrder', order: 'o1', within: '7s' } } as const
  const outcome = await played({
    steps: [{ create: 'o1' }, waiting, { advance: '1h' }],
    expect: { steps: 'any' },
  })
  expect([outcome.result, because(outcome)]).toEqual(['passed', []])
  expect(outcome.steps.map(({ result }) => result)).toEqual(['done', 'failed', 'skipped'])
})

test('steps: any: what hosts say is looked at all the same', async () => {
  const outcome = await played({
    steps: [{ create: 'o1' }, { await: { call: 'dispatchOrder', order: 'o1', within: '7s' } }],
    expect: { steps: 'any', deliveries: { o1: 'DELIVERED' }, payments: { o1: [3] } },
  })
  expect(because(outcome)).toEqual([
    'deliveries of o1: it is not there',
    'payments of o1: o1 is no order at a table',
  ])
})

test('an item that is named by its text and came due by itself counts as taken, once', async () => {
  const registered = { take: { text: 'OA registers who ordered', order: 'o1', within: '30s' } }
  const steps = [{ create: 'o1' }, { await: { status: 'CONFIRMED', order: 'o1' } }, registered]
  const session = { capabilities: { customer: true } }
  expect(because(await played({ session, steps }))).toEqual([])
  const [again] = because(await played({ session, steps: [...steps, registered] }))
  expect(again).toMatch(/^step 4 \(take OA registers who ordered of o1\): .* did not come$/)
})

test('a fault that met no message is said to have shown nothing', async () => {
  const faults = [
    { drop: { event: 'CONFIRMED', merchant: 'nobody' } },
    { drop: { event: 'CREATED', percent: 0 } },
    { drop: { event: 'CANCELLED' } },
    { duplicate: { event: 'CREATED' } },
  ]
  const { unexercised, result } = await played({ faults, steps: [{ create: 'o1' }] })
  expect(result).toBe('passed')
  expect(unexercised.map((each) => each.because)).toEqual([
    expect.stringContaining('merchant=nobody met no message: it matches nothing here: no store'),
    'the fault drop:event=CANCELLED met no message: nothing of it was tried',
  ])
})

test('a wait for a status reports the status of each order on timeout', async () => {
  const outcome = await played({
    orders: { o1: {}, o2: {} },
    steps: [{ create: ['o1', 'o2'] }, { await: { status: 'CONCLUDED', within: '1500ms' } }],
  })
  expect(because(outcome)[0]).toMatch(/: o1 is [A-Z]+, and 1 more is not there either$/)
})

test('[AUT-TOK-03] tokens that we ask the service for, to send webhooks, are no calls of it', async () => {
  const outcome = await played({
    channel: 'webhook',
    steps: [{ create: 'o1' }, { await: { status: 'DELIVERED' } }],
    expect: { calls: [{ call: 'issueToken', times: 1 }] },
  })
  expect([outcome.result, because(outcome)]).toEqual(['passed', []])
})

test('items are held, duplicated, delayed, moved and dropped by selector', async () => {
  const outcome = await played({
    orders: { o1: { type: 'TAKEOUT' }, o2: { type: 'TAKEOUT' } },
    steps: [
      { create: ['o1', 'o2'] },
      { hold: { event: 'CREATED', order: 'o1' } },
      { duplicate: { event: 'CONFIRMED', order: 'o2' } },
      { await: { event: 'CONFIRMED', order: 'o2', times: 2 } },
      { drop: { event: 'READY_FOR_PICKUP', order: 'o2', nth: 1 } },
      { advance: '5s' },
      { check: { call: 'getOrder', order: 'o1', counting: 'tries', times: 0 } },
      { release: { event: 'CREATED', order: 'o1' } },
      { await: { call: 'confirmOrder', order: 'o1' } },
      { delay: { trigger: 'preparing', order: 'o1', by: '20s' } },
      { check: { status: 'CONFIRMED', order: 'o1' } },
      { await: { status: 'DELIVERED', order: 'o1', within: '2m' } },
    ],
    expect: { statuses: { all: 'CONCLUDED' } },
  })
  expect(because(outcome)).toEqual([])
})

test('a held item is released after the last step', async () => {
  const outcome = await played({
    steps: [{ create: 'o1' }, { hold: { event: 'CREATED', order: 'o1' } }, { advance: '30s' }],
    expect: { statuses: { o1: 'CONCLUDED' }, acknowledged: 'all' },
  })
  expect(because(outcome)).toEqual([])
})

test('[ORD-UND-01] what changes contents alone goes on after the last step: its end makes nothing good', async () => {
  const unreadable = {
    faults: ['evolve:how=instants,operation=getOrder'],
    steps: [{ create: 'o1' }, { advance: '30s' }],
  }
  const failing = await played(unreadable, { defects: ['needs-one-spelling-of-times'] })
  expect(failing.verdicts.filter(({ outcome }) => outcome === 'failed')).toContainEqual(
    expect.objectContaining({ id: 'CV-1' }),
  )
  expect(
    because(await played({ ...unreadable, expect: { statuses: { o1: 'CONCLUDED' } } })),
  ).toEqual([])
})

test('acknowledged: all covers only events that arrived, not dropped ones', async () => {
  const lost = {
    faults: ['drop:event=CONFIRMED'],
    steps: [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1', within: '5m' } }],
  }
  for (const channel of ['polling', 'webhook'])
    expect(because(await played({ ...lost, channel, expect: { acknowledged: 'all' } }))).toEqual([])
  expect(because(await played({ ...lost, expect: { acknowledged: ['CONFIRMED'] } }))).toEqual([
    'CONFIRMED of o1 was never acknowledged',
  ])
  const ignored = await played(
    { steps: lost.steps, expect: { acknowledged: 'all', invariants: [] } },
    { defects: ['never-acks'] },
  )
  expect(because(ignored)).toContain('CREATED of o1 was never acknowledged')
})

test.each([
  ['a call', { call: 'confirmOrder' }],
  ['an event', { event: 'CREATED' }],
  ['an event from now on', { event: 'CREATED', fresh: true }],
  ['an acknowledgment', { acknowledged: 'CREATED' }],
  ['a status', { status: 'CONFIRMED' }],
])('a wait for %s of a scheduled order waits for its placement', async (_what, wait) => {
  const outcome = await played({
    orders: { o1: { type: 'TAKEOUT', at: '20s' } },
    steps: [{ await: { ...wait, order: 'o1' } }],
  })
  expect(because(outcome)).toEqual([])
  const late = await played({
    orders: { o1: { type: 'TAKEOUT', at: '20s' } },
    steps: [{ await: { ...wait, order: 'o1', within: '10s' } }],
  })
  expect(because(late)[0]).toMatch(/: o1 did not come in time$/)
})

test('an order with `at` is placed at its time, during any wait', async () => {
  const outcome = await played({
    orders: { o1: {}, o2: { at: '3s' }, o3: { at: '9s' } },
    steps: [
      { create: 'o1' },
      { await: { event: 'CREATED', order: 'o1' } },
      { advance: '4s' },
      { check: { status: ['CREATED', 'CONFIRMED'], order: 'o2' } },
      { await: { status: 'DELIVERED', order: 'o3', within: '2m' } },
    ],
  })
  expect(because(outcome)).toEqual([])
  expect(outcome.orders.map(({ slot }) => slot)).toEqual(['o1', 'o2', 'o3'])
})

test('events are emitted, altered and acknowledged; quiet holds when nothing is pending', async () => {
  const outcome = await played({
    steps: [
      { create: 'o1' },
      { emit: { order: 'o1', event: 'X_HINT' } },
      { alter: { order: 'o1', event: 'X_HINT', change: { hint: 'soup' } } },
      { await: { acknowledged: 'X_HINT', order: 'o1' } },
      { await: { quiet: true, within: '2m' } },
      { check: { order: 'o1', status: 'CONCLUDED' } },
      { check: { order: 'o1', view: 'CONCLUDED' } },
    ],
    expect: { acknowledged: ['X_HINT', 'CREATED'], views: { o1: 'CONCLUDED' } },
  })
  expect(because(outcome)).toEqual([])
})

test('[ORD-ITM-05] a line of an order is cancelled by its number, and one that it does not have is refused', async () => {
  const confirmed = [{ create: 'o1' }, { await: { status: 'CONFIRMED', order: 'o1' } }]
  const orders = { o1: { type: 'TAKEOUT', items: 2 } }
  const cancel = (line: number) => ({ 'cancel-item': { order: 'o1', line } })
  const done = await played({
    orders,
    steps: [...confirmed, cancel(2), { await: { event: 'ITEM_CANCELLED', order: 'o1' } }],
    expect: { acknowledged: ['ITEM_CANCELLED'] },
  })
  expect(because(done)).toEqual([])
  const refused = await played({ orders, steps: [...confirmed, cancel(3)] })
  expect(because(refused).join()).toContain('o1 has no line 3')
})

test('what a service says of its orders is not looked at, and no failure, where it has no path for that', async () => {
  const reason = expect.stringContaining('was not looked at: subject.probe')
  const view = { views: { o1: 'CREATED' } }
  for (const [steps, expected, path] of [
    [[], view, ['expect', 'views']],
    [[{ check: { order: 'o1', view: 'CREATED' } }], {}, ['steps', 1]],
  ] as const) {
    const document = { steps: [{ create: 'o1' }, ...steps], expect: expected }
    const outcome = await played(document, { isProbed: false })
    expect(outcome).toMatchObject({ result: 'passed', failures: [] })
    expect(outcome.unexercised).toContainEqual({
      id: 'views',
      isClaimed: true,
      path,
      because: reason,
    })
    expect(await played(document)).toMatchObject({ result: 'failed' })
  }
})

test('a wrong count, a missing event and a differing view each fail their own expectation', async () => {
  const outcome = await played({
    steps: [{ create: 'o1' }],
    expect: {
      statuses: { o1: ['CANCELLED', 'CREATED'] },
      views: { o1: 'CREATED' },
      calls: [
        { call: 'confirmOrder', order: 'o1', times: 2 },
        { call: 'requestCancellation', 'at-least': 1 },
        { call: 'getOrder', order: 'o1', 'at-most': 0 },
      ],
      sequence: { o1: ['setOrderPreparing', 'confirmOrder'] },
      acknowledged: ['DISPATCHED'],
      failed: ['SE-1'],
      tests: ['SE-1'],
    },
  })
  expect(because(outcome)).toEqual([
    'SE-1 did not fail: its outcome is not exercised',
    'o1 is CONCLUDED, not CANCELLED or CREATED',
    'o1, as your service says, is CONCLUDED, not CREATED',
    'confirmOrder of o1 succeeded once, not exactly twice',
    'requestCancellation succeeded never, not at least once',
    expect.stringMatching(/^getOrder of o1 succeeded \d times, not at most never$/),
    expect.stringMatching(
      /^the calls of o1 came as getOrder, .*, not as setOrderPreparing, confirmOrder$/,
    ),
    'there never was an event DISPATCHED',
  ])
  expect(outcome.failures.map(({ path }) => path.join('.'))).toContain('expect.calls.0')
})

test('a failed rule fails a run by its id, unless it is expected or not selected', async () => {
  const steps = [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1' } }]
  const defects = ['confirms-unread'] as const
  const [plain, meant, others] = [
    await played({ steps }, { defects }),
    await played({ steps, expect: { failed: ['SE-7'] } }, { defects }),
    await played({ steps, expect: { invariants: ['CV-1'] } }, { defects }),
  ]
  expect(plain.failures.map(({ verdict }) => verdict?.id)).toEqual(['SE-7'])
  expect([meant.result, others.result]).toEqual(['passed', 'passed'])
})

test('a safety rule that is selected and failed ends the run: nothing that comes later makes it pass', async () => {
  const written = { steps: [{ create: 'o1' }, { await: { call: 'confirmOrder', order: 'o1' } }] }
  const defective = { defects: ['confirms-unread'] } as const
  const selected = await played({ ...written, expect: { invariants: ['SE-7'] } }, defective)
  const every = await played(written, defective)
  expect(because(selected)).toEqual([expect.stringMatching(/^SE-7 failed/)])
  expect(because(every)).toContain(because(selected)[0])
  expect(selected.orders[0]!.statuses).not.toContain('DELIVERED')
  expect(every.orders[0]!.statuses).toContain('DELIVERED')
})

test('the subject’s own status is evidence at the instant of the query', async () => {
  const agreed = 'CANCELLATION_REQUEST_ACCEPTED'
  const steps = (...looks: readonly object[]) => [
    { create: 'o1' },
    { await: { status: 'CONFIRMED', order: 'o1' } },
    { emit: { order: 'o1', event: agreed } },
    { await: { acknowledged: agreed, order: 'o1' } },
    { advance: '2s' },
    ...looks,
    { trigger: { order: 'o1', move: 'cancel' } },
  ]
  const look = { check: { order: 'o1', view: ['CONFIRMED', 'CANCELLED'] } }
  const faults = ['slow-effect:trigger=preparing,by=40s']
  const judged = async (defects: InProcessPlayOptions['defects'], ...looks: readonly object[]) =>
    because(await played({ faults, steps: steps(...looks) }, { defects: defects ?? [] }))
  expect(await judged(['closes-on-request-accepted'])).toEqual([])
  expect(await judged(['closes-on-request-accepted'], look)).toEqual([
    expect.stringMatching(/^SE-13 failed: .* o1 as CANCELLED at/),
  ])
  expect(await judged([], look)).toEqual([])
})

test('a finding under a fault that no correct partner makes is advice', async () => {
  const outcome = await played(
    {
      faults: [{ 'no-effect': { trigger: 'confirm', limit: 1 } }],
      steps: [{ create: 'o1' }, { advance: '40s' }],
    },
    { defects: ['confirms-unread'] },
  )
  expect(outcome.advice.map(({ id }) => id)).toContain('SE-7')
  expect(because(outcome).some((each) => each.startsWith('SE-7'))).toBe(false)
})

test('the same seed gives the same journal digest; another seed does not', async () => {
  const written = {
    faults: ['flaky-network'],
    steps: [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1', within: '10m' } }],
  }
  const [one, same, other] = [
    await played(written, { seed: 5 }),
    await played(written, { seed: 5 }),
    await played(written, { seed: 6 }),
  ]
  expect(same.journal).toEqual(one.journal)
  expect(other.journal.digest).not.toBe(one.journal.digest)
})

test('an aborted run returns a partial outcome without failures', async () => {
  const stop = new AbortController()
  const outcome = await played(
    {
      steps: [
        { create: 'o1' },
        { await: { call: 'confirmOrder', order: 'o1' } },
        { advance: '1h' },
      ],
    },
    { enough: stop.signal, onStep: (text) => text.startsWith('1h') && stop.abort() },
  )
  expect(outcome).toMatchObject({ result: 'stopped', failures: [], verdicts: [] })
})

test('a step that needs a missing capability of the caller fails with a hint', async () => {
  const again = await played(
    { steps: [{ create: 'o1' }, { 'restart-subject': true }] },
    { isStartedElsewhere: true },
  )
  expect(because(again)).toEqual([
    'step 2 (your service is started again): only who started your service can start it again: say --start',
  ])
  const refused = await played({
    steps: [{ create: 'o1' }, { trigger: { order: 'o1', move: 'dispatch' } }],
  })
  expect(because(refused)[0]).toMatch(
    /^step 2 \(dispatch of o1\): it was refused: .*\(INVALID_TRANSITION\)$/,
  )
})

test('a scheduled order is placed after a long quiet period', async () => {
  const outcome = await played({
    orders: { o1: { type: 'TAKEOUT', at: '10m' } },
    expect: { statuses: { o1: 'CONCLUDED' } },
  })
  expect(because(outcome)).toEqual([])
})

test('a scheduled order that is refused after the steps is a failure, and later ones are still placed', async () => {
  const outcome = await played({
    orders: { o1: { at: '2s', order: { id: 5 } }, o2: { at: '4s', order: { id: 6 } } },
  })
  expect(because(outcome)).toEqual([
    expect.stringMatching(/^o1 could not be placed at its time: it was refused: id is 5,/),
    expect.stringMatching(/^o2 could not be placed at its time: it was refused: id is 6,/),
  ])
  expect(outcome.result).toBe('failed')
})

test('a rule that is named under tests or invariants and was not exercised is no failure, and the outcome says so', async () => {
  const steps = [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1', within: '2m' } }]
  const unexercised = async (expected: object, options: InProcessPlayOptions = {}) => {
    const outcome = await played({ steps, expect: expected }, options)
    return { result: outcome.result, unexercised: outcome.unexercised, because: because(outcome) }
  }
  expect(await unexercised({ invariants: ['RT-5', 'SE-7'] })).toEqual({
    result: 'passed',
    unexercised: [
      {
        id: 'RT-5',
        isClaimed: false,
        path: ['expect', 'invariants', 0],
        because: expect.stringMatching(/^RT-5 not exercised: it is checked when a call /),
      },
    ],
    because: [],
  })
  // What every run is judged by is no claim of this one.
  expect((await unexercised({})).unexercised).toEqual([])
  // A rule that is named in both is named once.
  expect(await unexercised({ invariants: ['RT-5'], tests: ['SE-7', 'RT-5'] })).toMatchObject({
    result: 'passed',
    unexercised: [{ id: 'RT-5', isClaimed: true, path: ['expect', 'tests', 1] }],
  })
  const broken = await unexercised({ invariants: ['SE-7'] }, { defects: ['confirms-unread'] })
  expect(broken).toMatchObject({ result: 'failed', unexercised: [] })
})

test('what a rule needs of the session is said, and what it has is not asked for', async () => {
  const reasons = async (session: object, tests: readonly string[]) => {
    const { unexercised } = await played({
      session,
      orders: { o1: { type: 'TAKEOUT' } },
      steps: [{ create: 'o1' }],
      expect: { tests },
    })
    return unexercised.map(({ because: text }) => text)
  }
  expect(await reasons({}, ['SE-2', 'SE-4', 'CV-5', 'SE-7'])).toEqual([
    'SE-2 not exercised: it needs logistics',
    'SE-4 not exercised: it needs logistics',
    'CV-5 not exercised: it needs logistics',
  ])
  const withLogistics = { capabilities: { logistics: true } }
  expect(await reasons(withLogistics, ['SE-2', 'HO-1'])).toEqual([
    'SE-2 not exercised: it is checked when a call for a delivery was tried again after it had failed',
    'HO-1 not exercised: it does not apply to your service',
  ])
})

test('what no clause states is advice, until the user sets it', async () => {
  const defects = ['reads-per-event', 'reads-in-a-loop'] as const
  const loop = {
    session: { counterparts: { 'ordering-application': { processing: '8s' } } },
    steps: [{ create: 'o1' }, { advance: '1m' }],
    expect: { invariants: 'all' },
  }
  const advised = await played(loop, { defects })
  expect(because(advised).filter((each) => each.startsWith('RC-1'))).toEqual([])
  const advice = advised.advice.find(({ id }) => id === 'RC-1')
  expect(advice && adviceMeaningOf(advice)).toBe(
    'no clause limits the reads; tolerances.reads does',
  )
  const session = { ...loop.session, tolerances: { reads: 8 } }
  const limited = await played({ ...loop, session }, { defects })
  expect(because(limited)).toContainEqual(expect.stringMatching(/^RC-1 failed: /))
  expect(limited.advice.map(({ id }) => id)).not.toContain('RC-1')
  const wide = { ...loop.session, tolerances: { reads: 100_000 } }
  expect((await played({ ...loop, session: wide }, { defects })).verdicts).toContainEqual(
    expect.objectContaining({ id: 'RC-1', outcome: 'passed' }),
  )
})
