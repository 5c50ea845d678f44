/** When the fault window ends: nothing is overdue before that, and nothing is excused forever. */
import { expect, test } from 'vitest'
import { judgeTolerances } from '../../../../../test/support/judge-tolerances.ts'
import { noon, transcript } from '../../../../../test/support/transcript.ts'
import { createExchangeObserver } from '../judge/exchange-observer.ts'
import { Tracker } from './tracker.ts'

const year = 365 * 24 * 3_600_000

test('a Retry-After date in wall time does not extend the fault window by years in a session of another time', () => {
  const { engine } = transcript()
  let now = noon
  const tracker = new Tracker({
    subject: 'software-service',
    settings: engine.settings,
    limits: judgeTolerances,
    world: engine.world,
    now: () => now,
  })
  // The session is set in the past; the client uses the wall clock, and so does the date it receives.
  const wall = noon + 2 * year
  const seen = createExchangeObserver('software-service')(
    {
      seq: 1,
      startedAt: wall,
      tookMs: 0,
      from: { role: 'software-service', party: 'subject' },
      to: { role: 'ordering-application', party: 'sparring' },
      request: { method: 'POST', url: 'http://127.0.0.1:7101/orders/a/confirm', headers: [] },
      reply: { status: 429, headers: [['Retry-After', new Date(wall + 20_000).toUTCString()]] },
      fault: 'rate-limit',
    },
    { began: noon, ended: noon },
  )
  tracker.exchange(seen!)
  expect(tracker.state.faultFreeSince()).toBeUndefined()
  now = noon + 21_000
  expect(tracker.state.faultFreeSince()).toBe(noon + 20_000)
})
