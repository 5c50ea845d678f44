/** Items of the agenda extend the fault window only where a fault delayed them, and only while they are there. */
import { expect, test } from 'vitest'
import { createTestJudge } from '../../../../../test/support/judge-fixture.ts'
import { openFaultyEngine } from '../../../../../test/support/faulty-engine.ts'

function judged(faulty = openFaultyEngine()) {
  const { engine } = faulty
  const judge = createTestJudge({ engine, now: engine.now })
  engine.onFact((entry) => judge.fact(entry))
  const ids = () => [...engine.world.agenda.byId.keys()]
  return { ...faulty, judge, ids }
}

test('an undone duplicate does not extend the fault window', () => {
  const { fault, submit: say, pass, judge, ids } = judged()
  fault('reorder:event=CREATED,atMost=30s,limit=1').order('a')
  const [id = 0] = ids()
  say({ kind: 'agenda.duplicate', id })
  say({ kind: 'agenda.undo' })
  pass(60_000)
  expect(judge.tracker.faultFreeSince()).toBeDefined()
})

test('items that no fault delayed leave the session free of faults from its start', () => {
  const { order, apply, pass, judge } = judged()
  const { startedAt } = judge.tracker
  order('a').pass(0)
  apply('a', 'confirm', 'preparing', 'ready-for-pickup')
  pass(60_000)
  expect(judge.tracker.faultFreeSince()).toBe(startedAt)
})

test('a delayed item extends the fault window to its time, and no other one does', () => {
  const { engine, fault, order, pass, judge } = judged()
  fault('delay:event=CREATED,by=5s,limit=1')
  pass(1000)
  order('a').order('b')
  const fired = engine.now()
  expect(judge.tracker.faultFreeSince()).toBeUndefined()
  pass(60_000)
  expect(judge.tracker.faultFreeSince()).toBe(fired + 5000)
})

test('an item that waits for a condition holds the fault window open until it is released', () => {
  const { fault, apply, judge } = judged()
  fault('reorder:event=CREATED,atMost=30s,limit=1').order('a')
  expect(judge.tracker.faultFreeSince()).toBeUndefined()
  apply('a', 'confirm').pass(60_000)
  expect(judge.tracker.faultFreeSince()).toBeDefined()
})
