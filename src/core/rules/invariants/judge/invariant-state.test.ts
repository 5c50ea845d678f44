import { expect, test } from 'vitest'
import type { Invariant } from '../invariant.ts'
import type { VerdictContext } from '../tracking/tracker-state.ts'
import { isFailedVerdict, maxFindings, maxLatestFindings } from '../verdict.ts'
import { createFindingTally } from './finding-tally.ts'
import { createInvariantState, verdictOf } from './invariant-state.ts'

const tracker = {
  now: 5,
  orders: new Map(),
  hasRobustnessFault: () => false,
} as unknown as VerdictContext

const invariant = {
  id: 'XX-1',
  name: 'an-example',
  sentence: 'It must hold.',
  kind: 'safety',
  clauses: [],
  premise: 'It happens.',
  start: () => undefined,
} as unknown as Invariant

test('of many violations the first ones are kept, and the latest ones, which are in sight', () => {
  const state = createInvariantState(invariant, tracker)
  const orderIds = Array.from({ length: 200 }, (_, index) => `order-${index}`)
  for (const orderId of orderIds)
    state.report.failed({ because: 'It did not.', evidence: [], orderId })
  const { violations, findings, latest } = verdictOf(state, tracker)
  expect(violations).toBe(200)
  expect(findings.map(({ orderId }) => orderId)).toEqual(orderIds.slice(0, maxFindings))
  expect(latest?.map(({ orderId }) => orderId)).toEqual(orderIds.slice(-maxLatestFindings))
})

test('a few violations are all among the first', () => {
  const state = createInvariantState(invariant, tracker)
  for (let count = 0; count < maxFindings; count++)
    state.report.failed({ because: 'It did not.', evidence: [] })
  expect(verdictOf(state, tracker)).toMatchObject({ violations: maxFindings })
  expect(verdictOf(state, tracker).latest).toBeUndefined()
})

test('advice hides no violation, however often and of whatever it was given before', () => {
  const state = createInvariantState(invariant, tracker)
  const finding = { because: 'It did not.', evidence: [] }
  for (let count = 0; count <= maxFindings; count++)
    state.report.failed({ ...finding, orderId: `order-${count}`, advice: true })
  expect(isFailedVerdict(verdictOf(state, tracker))).toBe(false)
  state.report.failed({ ...finding, orderId: 'order-7' })
  const verdict = verdictOf(state, tracker)
  expect(isFailedVerdict(verdict)).toBe(true)
  expect(verdict.findings[0]).toMatchObject({ orderId: 'order-7' })
  expect(verdict.findings).toHaveLength(maxFindings)
})

test('nor among the findings of a clause', () => {
  const tally = createFindingTally()
  const add = (key: string, isAdvice: boolean) =>
    tally.add({ key, isAdvice, at: 0, evidence: [], wording: () => ({ text: key }) } as never)
  for (let count = 0; count < 1000; count++) add(`advice ${count}`, true)
  add('wrong', false)
  expect(tally.findings()[0]).toMatchObject({ because: 'wrong' })
  expect(tally.findings()[0]?.advice).toBeUndefined()
})

test('the clauses and the remedies of the findings come first', () => {
  const rule = { ...invariant, clauses: ['A-1', 'A-2'], remedy: 'Do it.' }
  const state = createInvariantState(rule, tracker)
  const finding = { because: 'It did not.', evidence: [] }
  expect(verdictOf(state, tracker)).toMatchObject({ clauses: ['A-1', 'A-2'], remedy: 'Do it.' })
  for (const clauses of [['A-2'], ['A-3']])
    state.report.failed({ ...finding, clauses, remedy: 'Do that.' })
  const first = ['A-2', 'A-3', 'A-1']
  expect(verdictOf(state, tracker)).toMatchObject({ clauses: first, remedy: 'Do that.' })
  state.report.failed(finding)
  expect(verdictOf(state, tracker).remedy).toBe('Do that. Do it.')
})
