/**
 * The matchers in the `expect` of Vitest and in that of Jest, on sessions with a correct and with a defective service.
 */
import { expect as jestExpect } from 'expect'
import { expect, test } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { Problem } from '../../core/base/problem.ts'
import { openSession } from '../../core/session/open-session.ts'
import { matchers } from './session-matchers.ts'

expect.extend(matchers)
jestExpect.extend(matchers)

/** `expect` of both test runners: the same calls, different implementations. */
const runners = [
  { name: 'Vitest', expects: expect },
  { name: 'Jest', expects: jestExpect },
]

const messageOf = async (act: () => unknown): Promise<string> => {
  try {
    await act()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  throw new Error('it passed')
}

test.each(runners)('$name: a correct service converges and breaks no rule', async ({ expects }) => {
  await using harness = await openHarness({ channel: 'webhook' })
  const orderId = await harness.order('TAKEOUT')
  expect(await harness.status(orderId)).toBe('CREATED')
  await expects(harness.session).toConverge()
  expects(harness.session).toHaveNoBrokenRules()
  expects(await harness.session.judge()).toHaveNoBrokenRules()
  expect(await harness.status(orderId)).toBe('CONCLUDED')
  expect(await messageOf(() => expects(harness.session).not.toHaveNoBrokenRules())).toBe(
    'Expected a broken rule, but none is broken.',
  )
  expect(await messageOf(() => expects(harness.session).not.toConverge())).toMatch(
    /^Expected the session not to converge, but it has after \d/,
  )
})

test.each(runners)(
  '$name: a broken rule is shown with evidence, remedy and clauses',
  async ({ expects }) => {
    await using harness = await openHarness({ defects: ['forgets-event-ids'], delivers: true })
    harness.session.faults.add({ 'duplicate-late': { event: 'CONFIRMED' } })
    await harness.order('DELIVERY')
    await harness.pass(120_000)
    const message = await messageOf(() => expects(harness.session).toHaveNoBrokenRules())
    expect(message).toMatch(
      /^Expected no broken rule, but \d (is|are) broken:\n\nSE-1 {2}Must not request a second/,
    )
    expect(message).toMatch(/\n {6}#\d+ {2}\d\d:\d\d:\d\d\.\d{3} .*POST .*\n/)
    expect(message).toMatch(/\n {4}fix: .+\n {4}clauses: .*ORD-EVR-03/)
  },
)

test.each(runners)(
  '$name: rules that must have been exercised are asked for by id',
  async ({ expects }) => {
    await using harness = await openHarness({ channel: 'webhook' })
    await harness.order('TAKEOUT')
    await expects(harness.session).toConverge()
    expects(harness.session).toHaveNoBrokenRules({ exercised: ['SE-6', 'CV-1'] })
    const asked = (received: unknown) => () =>
      expects(received).toHaveNoBrokenRules({ exercised: ['CV-1', 'SE-2', 'XX-1'] })
    const message =
      'No rule is broken, but SE-2 not exercised: it needs logistics; XX-1 not exercised: it does not apply to your service.'
    expect(await messageOf(asked(harness.session))).toBe(message)
    expect(await messageOf(asked(await harness.session.judge()))).toBe(message)
  },
)

test.each(runners)('$name: what has not converged is named', async ({ expects }) => {
  await using session = await openSession({
    as: 'software-service',
    subject: () => Promise.resolve(new Response(null, { status: 500 })),
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    clock: 'virtual',
  })
  expect(await messageOf(() => expects(session).toConverge({ within: '1s' }))).toBe(
    'Expected the session to converge within 1s of its time, but it has not:\n  - there is no order yet',
  )
  await session.createOrder({ type: 'TAKEOUT' })
  const message = await messageOf(() => expects(session).toConverge({ within: '5s' }))
  expect(message).toMatch(/^Expected the session to converge within 5s of its time/)
  expect(message).toMatch(
    /\n {2}- o1: the Ordering Application had it CREATED, and your service did not know, nor does it yet/,
  )
})

test('a session converges when an event that is delayed has arrived, not before', async () => {
  await using harness = await openHarness({ channel: 'webhook' })
  harness.session.faults.add({ delay: { event: 'CREATED', by: '20s' } })
  await harness.order('TAKEOUT')
  const before = harness.session.clock.now()
  await expect(harness.session).toConverge({ within: '5m' })
  expect(harness.session.clock.now() - before).toBeGreaterThan(10_000)
  await expect(harness.session).toConverge({ within: 0 })
})

test('matchers refuse what they cannot judge', async () => {
  await using alone = await openSession({ clock: 'virtual', listen: false })
  const refused = async (act: () => unknown, wanted: RegExp): Promise<void> => {
    const error: unknown = await Promise.resolve()
      .then(act)
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Problem)
    expect(error instanceof Error ? error.message : '').toMatch(wanted)
  }
  // Without a service no rule is checked, and no matcher may pass for that.
  await refused(() => matchers.toHaveNoBrokenRules(alone), /no rule is checked in this session/)
  await refused(
    () => matchers.toHaveNoBrokenRules([]),
    /it was given a list that holds no verdicts/,
  )
  // Nor may one pass before anything was looked at.
  await using idle = await openSession({
    as: 'software-service',
    subject: () => Promise.resolve(new Response(null, { status: 204 })),
    clock: 'virtual',
  })
  await refused(() => matchers.toHaveNoBrokenRules(idle), /no rule has been exercised/)
  const verdicts = await idle.judge()
  await refused(() => matchers.toHaveNoBrokenRules(verdicts), /no rule has been exercised/)
  await refused(() => matchers.toHaveNoBrokenRules(7), /a value of type number/)
  await refused(() => matchers.toConverge(null), /it was given null\. Give it the session/)
  await refused(
    () => matchers.toConverge(alone, { within: 'soon' }),
    /within is "soon", which is no length of time/,
  )
  // JavaScript passes any options.
  const misspelt: object = { exercise: ['SE-3'], witin: '5m' }
  await refused(() => matchers.toHaveNoBrokenRules(alone, misspelt), /it has no option exercise/)
  await refused(() => matchers.toConverge(alone, misspelt), /it has no option exercise\. .* within/)
  const text: object = { exercised: 'SE-3' }
  await refused(() => matchers.toHaveNoBrokenRules(alone, text), /exercised is a value of type str/)
})
