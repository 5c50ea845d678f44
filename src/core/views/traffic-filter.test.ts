import { expect, test } from 'vitest'
import type { TrafficRow } from '../session-api/session-api.ts'
import { trafficFilter } from './traffic-filter.ts'

test('more than one "!" before a word is refused, however many there are', () => {
  for (const text of ['!!failed', '!'.repeat(20_000), `${'!'.repeat(20_000)}failed`])
    expect(trafficFilter(text)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^"!!.{0,40}" has more than one "!" before its word$/),
    })
})

test('mine and failed are terms of their own, and sides have every name of a role', () => {
  const row: TrafficRow = {
    seq: 1,
    startedAt: 0,
    endedAt: 1,
    tookMs: 1,
    from: 'software-service',
    to: 'ordering-application',
    subject: true,
    method: 'GET',
    path: '/v1/events',
    status: 404,
    failed: true,
  }
  const { failed: _, ...other } = { ...row, subject: false }
  const passes = (text: string) => {
    const parsed = trafficFilter(text)
    if (!parsed.ok) throw new Error(parsed.error)
    return [row, other].map(parsed.value)
  }
  expect(passes('mine')).toEqual([true, false])
  expect(passes('!mine')).toEqual([false, true])
  expect(passes('failed')).toEqual([true, false])
  expect(passes('mine failed')).toEqual([true, false])
  for (const role of ['SS', 'pos', 'software'])
    expect(passes(`from:${role} to:oa`)).toEqual([true, true])
  expect(passes('to:pos')).toEqual([false, false])
})

test('an expression that would search for years finds nothing, and ends', () => {
  const path = `/v1/${'a'.repeat(5000)}!`
  const parsed = trafficFilter('/^get.*(a+)+$/')
  if (!parsed.ok) throw new Error(parsed.error)
  const row = { method: 'GET', path, status: 200 } as TrafficRow
  for (let rows = 0; rows < 1000; rows++) expect(parsed.value(row)).toBe(false)
})
