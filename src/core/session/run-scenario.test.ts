/** A scenario as code, against a handler in this process, as in a Vitest test. */
import { expect, test } from 'vitest'
import type { DefectName } from '../../demo/defects.ts'
import {
  openSession,
  type PlayOptions,
  playScenario,
  type ScenarioInput,
  scenarioOptions,
  type SessionOptions,
} from '../../sparring/library/index.ts'
import {
  createOrderingApplication,
  type OrderingApplication,
} from '../../demo/ordering-application.ts'
import { createInProcessService } from '../../../test/support/in-process-service.ts'

const scenario = {
  name: 'An answer that is not believed at once',
  about: 'The partner applies the confirmation late; nothing else is done before.',
  orders: { o1: { type: 'TAKEOUT' } },
  faults: [{ 'slow-effect': { trigger: 'confirm', by: '8s' } }],
  steps: [
    { create: 'o1' },
    { await: { call: 'confirmOrder', order: 'o1', within: '30s' } },
    { check: { order: 'o1', status: 'CREATED' } },
    { await: { status: 'DELIVERED', order: 'o1', within: '2m' } },
  ],
  expect: { statuses: { o1: 'CONCLUDED' }, tests: ['SE-6'] },
} satisfies ScenarioInput

async function played(
  defects: readonly DefectName[],
  what: ScenarioInput = scenario,
  options: PlayOptions = {},
) {
  const service = createInProcessService({ defects })
  await using session = await openSession({
    ...scenarioOptions(what),
    subject: service.fetch,
    clock: 'virtual',
  })
  await using _started = service.start(session)
  return await playScenario(session, what, options)
}

test('a scenario passes, and the same seed gives the same outcome', async () => {
  const [one, other] = [await played([]), await played([])]
  expect(one).toMatchObject({ result: 'passed', failures: [] })
  expect(one.journal).toEqual(other.journal)
})

test('a service that takes 202 as final fails with the clause', async () => {
  const { result, failures } = await played(['acts-on-202'])
  expect(result).toBe('failed')
  const failed = failures.find(({ verdict }) => verdict?.id === 'SE-6')
  expect(failed?.because).toMatch(/^SE-6 failed: The service /)
  expect(failed?.verdict?.clauses).not.toEqual([])
})

test.each([
  ['has no path that is called', () => Promise.resolve(new Response(null, { status: 404 })), false],
  ['is broken', () => Promise.resolve(new Response('no', { status: 500 })), false],
  ['is down', () => Promise.reject(new TypeError('fetch failed')), false],
  ['refuses what is sent', () => Promise.resolve(new Response(null, { status: 401 })), true],
  ['takes what is sent', () => Promise.resolve(new Response(null, { status: 204 })), true],
] as const)('where nothing is expected, a service that %s', async (_, subject, takesPart) => {
  const quiet: ScenarioInput = {
    name: 'An order is announced',
    about: 'Nothing is expected of it.',
    channel: 'webhook',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [{ create: 'o1' }],
    expect: { invariants: [] },
  }
  await using session = await openSession({ ...scenarioOptions(quiet), subject, clock: 'virtual' })
  const { failures } = await playScenario(session, quiet)
  const because = expect.stringMatching(/^your service took no part/) as string
  expect(failures).toEqual(takesPart ? [] : [{ kind: 'expectation', path: ['subject'], because }])
})

test('a rule that was named and not exercised fails the run only where that is required', async () => {
  const claims = { ...scenario, expect: { tests: ['SE-6', 'SE-2'] } }
  const because = 'SE-2 not exercised: it needs logistics'
  expect(await played([], claims)).toMatchObject({
    result: 'passed',
    failures: [],
    unexercised: [{ id: 'SE-2', because }],
  })
  const required = { requireExercised: true }
  expect(await played([], claims, required)).toMatchObject({
    result: 'failed',
    failures: [{ kind: 'expectation', path: ['expect', 'tests', 1], because }],
  })
  expect(await played([], scenario, required)).toMatchObject({ result: 'passed', failures: [] })
  // What failed for another reason says no more than that.
  const { failures } = await played(['acts-on-202'], claims, required)
  expect(failures.map(({ kind }) => kind)).not.toContain('expectation')
})

test('an invalid scenario, or one of several runs, is refused before playing', async () => {
  const wrong = { ...scenario, steps: [{ create: 'o2' }] }
  await expect(played([], wrong)).rejects.toThrow(/there is no order "o2"/)
  const several = { ...scenario, variants: { channels: ['polling', 'webhook'] } } as const
  await expect(played([], several as unknown as ScenarioInput)).rejects.toThrow(/it is 2 runs/)
})

test('a scenario without a subject has every role played by us, even when a service is given', async () => {
  const story = {
    ...scenario,
    subject: 'none',
    faults: [],
    steps: [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1', within: '2m' } }],
    expect: { statuses: { o1: 'DELIVERED' } },
  } satisfies ScenarioInput
  await using session = await openSession({
    ...scenarioOptions(story),
    subject: () => Promise.reject(new Error('nobody calls it')),
    clock: 'virtual',
  })
  expect(await playScenario(session, story)).toMatchObject({ result: 'passed', failures: [] })
})

test('a scenario asks the service that is visited, on the path that is set', async () => {
  const story = {
    ...scenario,
    faults: [],
    steps: [
      { create: 'o1' },
      { await: { status: 'CONFIRMED', order: 'o1', within: '2m' } },
      { ask: { order: 'o1', for: 'cancellation' } },
    ],
    expect: { invariants: [] },
  } satisfies ScenarioInput
  const visited: string[] = []
  const visitedWith = async (options: PlayOptions) => {
    const { failures, isOccasionMissed } = await played([], story, options)
    return {
      because: failures.map(({ because }) => because),
      isMissed: isOccasionMissed,
    }
  }
  const visit: PlayOptions['visit'] = ({ method, path }) => {
    visited.push(`${method} ${path.replace(/[0-9a-f-]{36}/, 'ID')}`)
    return Promise.resolve(path.startsWith('/desk') ? 202 : 404)
  }
  const askedOn = (cancellation: string) => visitedWith({ visit, asks: { cancellation } })
  expect(await askedOn('/desk/{orderId}/cancel')).toEqual({
    because: [],
    isMissed: undefined,
  })
  const because = [expect.stringContaining('where it is asked is set by subject.asks.cancellation')]
  expect(await visitedWith({ visit })).toEqual({ because, isMissed: true })
  expect(await askedOn('/dsek/{orderId}/cancel')).toEqual({ because, isMissed: undefined })
  expect(visited).toEqual([
    'POST /desk/ID/cancel',
    'POST /probe/orders/ID/request-cancellation',
    'POST /dsek/ID/cancel',
  ])
})

test('an order that was over before it could be cancelled says nothing about the service', async () => {
  const story = {
    ...scenario,
    faults: [],
    steps: [
      { create: 'o1' },
      { await: { status: 'CONCLUDED', order: 'o1', within: '5m' } },
      { trigger: { order: 'o1', move: 'cancel' } },
    ],
    expect: { statuses: { o1: 'CANCELLED' }, invariants: ['CV-1', 'TK-1'] },
  } satisfies ScenarioInput
  const late = 'step 3 (cancel of o1): it came too late: it was CONCLUDED already'
  const { failures, isOccasionMissed, unexercised } = await played([], story)
  expect(failures.map(({ because }) => because)).toEqual(['o1 is CONCLUDED, not CANCELLED'])
  expect([isOccasionMissed, ...unexercised.map(({ because }) => because)]).toEqual([true, late])
  const broken = await played(['token-per-call'], story)
  expect(broken.isOccasionMissed).toBeUndefined()
  const other = await played([], {
    ...story,
    orders: { o1: {}, o2: { at: '1m' } },
    expect: { statuses: { o1: 'CANCELLED', o2: 'CANCELLED' } },
  })
  expect(other).toMatchObject({ result: 'failed', unexercised: [{ because: late }] })
  expect(other.isOccasionMissed).toBeUndefined()
  const indifferent = await played([], { ...story, expect: {} })
  expect(indifferent).toMatchObject({ result: 'passed', unexercised: [{ because: late }] })
})

test('the faults of a scenario are added to those of its session, but not a second time', async () => {
  const service = createInProcessService()
  const faults = [
    { duplicate: { event: 'CREATED' } },
    { 'slow-effect': scenario.faults[0]?.['slow-effect'] },
  ]
  await using session = await openSession({
    ...scenarioOptions(scenario),
    faults: faults as NonNullable<SessionOptions['faults']>,
    subject: service.fetch,
    clock: 'virtual',
  })
  await using _started = service.start(session)
  const other = { delay: { event: 'READY_FOR_PICKUP', by: '1s' } }
  await playScenario(session, { ...scenario, faults: [...scenario.faults, other] })
  const { faults: rows } = await session.look({ faults: true })
  expect(rows.map(({ name }) => name)).toEqual(['duplicate', 'slow-effect', 'delay'])
})

test.each([
  [{ subject: 'crm' }, 'it is about crm, and your service in this session is software-service'],
  [{ channel: 'webhook' }, 'its channel is webhook, and that of this session polling'],
] as const)('a scenario is not played in a session for another one: %j', async (part, wrong) => {
  await using session = await openSession({ ...scenarioOptions(scenario), clock: 'virtual' })
  await expect(playScenario(session, { ...scenario, ...part })).rejects.toThrow(wrong)
})

test('a step that comes before its order is ready for it has no effect, and fails', async () => {
  const { failures, isOccasionMissed } = await played([], {
    ...scenario,
    steps: [{ create: 'o1' }, { trigger: { order: 'o1', move: 'conclude' } }],
  })
  const early =
    'step 2 (conclude of o1): it had no effect: it was CREATED, which has no such move yet'
  expect(failures.map(({ because }) => because)).toContain(early)
  expect(isOccasionMissed).toBeUndefined()
})

/** Plays a scenario against the reference Ordering Application, which is asked for its orders. */
async function playedByHost(visit: PlayOptions['visit'], orders: ScenarioInput['orders']) {
  const story = {
    name: 'A marketplace places orders',
    about: 'It is asked for them, and our store prepares them.',
    subject: 'ordering-application',
    orders,
    steps: [
      { create: 'o1' },
      { await: { status: 'READY', order: 'o1', within: '60s' } },
      { ask: { order: 'o1', for: 'cancellation' } },
      { await: { status: 'CANCELLED', order: 'o1', within: '60s' } },
    ],
  } satisfies ScenarioInput
  const url = 'http://ordering-application.test'
  let application: OrderingApplication | undefined
  await using session = await openSession({
    ...scenarioOptions(story),
    subject: async (request) => (await application?.fetch(request)) ?? Response.error(),
    clock: 'virtual',
  })
  const partner = session.urls.get('software-service') ?? ''
  application = createOrderingApplication({ ...session, partner, base: url })
  application.start()
  const running = application
  const outcome = await playScenario(session, story, {
    visit:
      visit ??
      (async ({ path, method, body }) => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        return (await running.fetch(new Request(`${url}${path}`, { method, ...sent }))).status
      }),
  })
  const stopped = application.stop()
  await session.advance(0)
  await stopped
  return outcome
}

test('a service that hosts its orders is asked for them, by steps and at their times', async () => {
  const orders = { o1: { type: 'DELIVERY' }, o2: { type: 'TAKEOUT', at: '5s' } } as const
  const outcome = await playedByHost(undefined, orders)
  expect(outcome).toMatchObject({ result: 'passed', failures: [] })
  const [cancelled, other] = outcome.orders.map(({ statuses }) => statuses)
  expect(cancelled).toContain('CANCELLED')
  expect(other).toContain('DELIVERED')
})

test.each([
  [404, 'it answered 404 to POST /probe/orders; where it is asked is set by subject.asks.order'],
  [202, 'your service took the order, and no event told of it in time'],
])('a service that answers %i and places no order fails the step', async (status, because) => {
  const { steps } = await playedByHost(() => Promise.resolve(status), { o1: {} })
  expect(steps[0]).toMatchObject({ result: 'failed', because })
})
