/** Undone edits of the agenda do not extend the fault window. */
import { expect, test } from 'vitest'
import { createTestJudge } from '../../../test/support/judge-fixture.ts'
import { openFaultyEngine } from '../../../test/support/faulty-engine.ts'

function judged(weather = openFaultyEngine()) {
  const { engine } = weather
  const judge = createTestJudge({ engine, now: engine.now })
  engine.onFact(judge.fact)
  const ids = () => [...engine.world.agenda.byId.keys()]
  return { ...weather, judge, ids }
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
