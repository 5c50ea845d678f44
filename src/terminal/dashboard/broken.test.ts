/** What is broken is marked where one looks: on the order, on the exchange, in the detail, in the header. */
import { describe, expect, test } from 'vitest'
import { createFakeSession } from '../../../test/support/dashboard/fake-session.ts'
import { driveDashboardOn, plainAppearance } from '../../../test/support/dashboard/drive.ts'
import type { ObservedEffects } from '../../core/rules/invariants/tracking/tracker-state.ts'
import type { Finding, Verdict } from '../../core/rules/invariants/verdict.ts'
import type { SessionApi, TrafficRow } from '../../core/session-api/session-api.ts'
import { glyphSets } from './view/text/glyphs.ts'

const because = 'Two deliveries were requested for o2: first at 12:00:01, second at 12:00:03.'

function verdict(findings: readonly Finding[], outcome: Verdict['outcome'] = 'failed'): Verdict {
  return {
    id: 'SE-1',
    name: 'one-effect-per-purpose',
    sentence: 'Must not request a second delivery for the same order.',
    remedy: 'Keep the ids of processed events.',
    kind: 'safety',
    clauses: ['ORD-EVR-03'],
    outcome,
    premises: 3,
    premise: 'An event is redelivered.',
    violations: findings.length,
    inconclusive: 0,
    findings,
  }
}

interface Wrong {
  /** The orders and exchanges that the findings name, by their places. */
  readonly verdicts?: (orderIds: readonly string[], seqs: readonly number[]) => readonly Verdict[]
  readonly rowOf?: (row: TrafficRow) => TrafficRow
  readonly rejected?: number
  readonly effects?: ObservedEffects
}

/** A session with two orders, whose second one is confirmed, and what is wrong with it. */
async function openWrong(columns: number, rows: number, wrong: Wrong, ascii = false) {
  const fake = createFakeSession({ subject: true })
  const orderIds: string[] = []
  for (let count = 0; count < 2; count++) {
    const made = await fake.createOrder({})
    if (made.ok) orderIds.push(made.value.orderId)
  }
  fake.pass(1300)
  const seqs = (await fake.look({ traffic: { limit: 100 } })).traffic.map(({ seq }) => seq)
  const { verdicts = () => [], rowOf = (row) => row, rejected = 0 } = wrong
  const session: SessionApi = {
    ...fake,
    async look(view) {
      const snapshot = await fake.look(view)
      const failed = { ...snapshot.info.counts.failed, rejected }
      return {
        ...snapshot,
        info: { ...snapshot.info, counts: { ...snapshot.info.counts, failed } },
        traffic: snapshot.traffic.map(rowOf),
        verdicts: view.verdicts ? verdicts(orderIds, seqs) : [],
        ...(snapshot.order && wrong.effects
          ? { order: { ...snapshot.order, effects: wrong.effects } }
          : {}),
      }
    },
  }
  const appearance = ascii ? { ...plainAppearance, glyphs: glyphSets.ascii } : plainAppearance
  return driveDashboardOn(session, { columns, rows, appearance })
}

const failedRule: Wrong = {
  verdicts: ([, orderId = ''], [seq = 0]) => [
    verdict([{ because, at: 0, orderId, slot: 'o2', evidence: [{ seq, at: 0, line: '' }] }]),
    { ...verdict([], 'passed'), id: 'AK-3' },
  ],
}

describe.each([
  [80, 24],
  [120, 40],
  [200, 60],
])('at %i x %i a failed rule is marked', (columns, rows) => {
  test('on its order and no other, with its id', async () => {
    const screen = await openWrong(columns, rows, failedRule)
    await screen.press('3')
    expect(screen.line('1002 ')).toMatch(/1002 +✗ .*SE-1/)
    expect(screen.line('1001 ')).not.toMatch(/✗|SE-1/)
  })

  test('on the exchange that is its evidence', async () => {
    const screen = await openWrong(columns, rows, failedRule)
    await screen.press('2')
    const marked = screen.lines().filter((line) => / SE-1 .*\d ✗ /.test(line))
    expect(marked.length).toBe(1)
  })

  test('in pane 4 with what was seen, and in the detail of the order', async () => {
    const screen = await openWrong(columns, rows, failedRule)
    await screen.press('3')
    expect(screen.text()).toContain('✗ SE-1 Two deliveries')
    await screen.press('enter')
    expect(screen.text()).toMatch(/failed +SE-1 Two deliveries were requested for o2: first at/)
    await screen.press('esc', 'j')
    expect(screen.text()).not.toContain('✗ SE-1 Two deliveries')
  })

  test('in the header', async () => {
    const screen = await openWrong(columns, rows, failedRule)
    expect(screen.lines()[0]).toContain('✗ 1 rule failed')
  })
})

test('pane 4 and the detail of an order show what the service did for it inside', async () => {
  const kind = { mayRepeat: false, evenIfCancelled: false }
  const counts = [
    { kind: 'tickets', count: 2, ...kind },
    { kind: 'rows', count: 1, ...kind },
  ]
  const effects = { orderId: 'o', at: 0, counts, failures: {} }
  const screen = await openWrong(120, 40, { effects })
  await screen.press('3')
  const text = 'tickets: 2, rows: 1, counted at'
  expect(screen.text()).toContain(text)
  await screen.press('enter')
  expect(screen.text()).toMatch(new RegExp(`Effects[^]*${text}`))
})

test('the header counts the passed rules too where there is room', async () => {
  const screen = await openWrong(200, 60, failedRule)
  expect(screen.lines()[0]).toMatch(/✗ 1 rule failed +1 passed/)
})

test('on an ASCII terminal the marks are ASCII', async () => {
  const screen = await openWrong(120, 40, failedRule, true)
  await screen.press('3')
  expect(screen.line('1002 ')).toMatch(/1002 +x .*SE-1/)
  expect(screen.text()).toMatch(/^[ -~\n]*$/)
})

test('an advice is no failure: the order is not marked', async () => {
  const screen = await openWrong(120, 40, {
    verdicts: ([, orderId = '']) => [
      verdict([{ because, at: 0, orderId, evidence: [], advice: true }]),
    ],
  })
  await screen.press('3')
  expect(screen.line('1002 ')).not.toContain('✗')
  expect(screen.lines()[0]).toContain('! 1 advice')
})

test('while requests fail, the header has no sign of success', async () => {
  const passed = [verdict([], 'passed')]
  const well = await openWrong(120, 40, { verdicts: () => passed })
  expect(well.lines()[0]).toContain('✓ 1 rule passed')
  const troubled = await openWrong(120, 40, { verdicts: () => passed, rejected: 3 })
  expect(troubled.lines()[0]).toContain('3 failed requests')
  expect(troubled.lines()[0]).toContain('1 rule passed')
  expect(troubled.lines()[0]).not.toContain('✓')
})

test('a failed request has its reason in its row, and wholly in its detail', async () => {
  const reason = 'unknown merchant "foo" in x-polling-merchants: send one of LOJA-001, LOJA-002'
  const screen = await openWrong(120, 40, {
    rowOf: (row) => (row.method === 'POST' ? { ...row, status: 400, failed: true, reason } : row),
  })
  expect(screen.text()).toMatch(/unknown merchant "foo".*400 !/)
  await screen.press('2', 'k', 'enter')
  expect(screen.line('why')).toContain(reason)
  await screen.resize(80, 24)
  expect(screen.line('why')).toContain(
    'why     unknown merchant "foo" in x-polling-merchants: send one of',
  )
})
