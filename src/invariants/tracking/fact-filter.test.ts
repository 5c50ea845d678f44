/** The fact filter passes only agenda facts that concern the fault window. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../engine/journal.ts'
import { openFaultyEngine } from '../../../test/support/faulty-engine.ts'
import { createFactFilter } from './fact-filter.ts'

/** Kinds of agenda facts that pass from here on. */
function screened(weather = openFaultyEngine()) {
  const screen = createFactFilter()
  const passed: string[] = []
  weather.engine.onFact((entry: JournalEntry) => {
    const isAbout = entry.fact.kind.startsWith('agenda.')
    if (screen(entry) && isAbout) passed.push(entry.fact.kind)
  })
  return { ...weather, passed }
}

test('without faults no agenda facts pass', () => {
  const { order, apply, pass, passed } = screened()
  order('a').pass(0)
  apply('a', 'confirm', 'preparing', 'ready-for-pickup')
  pass(60_000)
  expect(passed).toEqual([])
})

test('items delayed by a fault pass when planned, waiting items when released', () => {
  const delayed = screened()
  delayed.fault('delay:event=CREATED,by=5s,limit=1').order('a').order('b')
  delayed.pass(60_000)
  expect(delayed.passed).toEqual(['agenda.planned'])

  const held = screened()
  held.fault('reorder:event=CREATED,atMost=30s,limit=1').order('a')
  expect(held.passed[0]).toBe('agenda.planned')
  held.apply('a', 'confirm').pass(60_000)
  expect(held.passed).toContain('agenda.released')
})

test('a progress request passes from an operator, not from the subject', () => {
  const screen = createFactFilter()
  const fact = { kind: 'order.requested', orderId: 'a', trigger: 'confirm' } as const
  const passes = (by: JournalEntry['by']): boolean => screen({ seq: 1, at: 0, by, cause: 0, fact })
  expect([passes('operator'), passes('subject')]).toEqual([true, false])
})
