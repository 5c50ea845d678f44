/**
 * Faults during playback: only the delivery of recorded events can be distorted, because they are not in this world.
 */
import { expect, test } from 'vitest'
import { faultPort } from '../../faults/port.ts'
import { transcript } from '../../../../test/support/transcript.ts'
import type { Fact } from '../fact.ts'
import { playbackReactor } from '../playback/react.ts'

/** One recorded CONFIRMED that is played under a fault, and concluded by the player. */
function played(spec: string): readonly Fact[] {
  const { engine } = transcript({ reactors: [playbackReactor], faults: faultPort })
  const facts: Fact[] = []
  engine.onFact(({ fact }) => facts.push(fact))
  engine.submit({ kind: 'fault.add', spec })
  const event = { eventId: 'e1', eventType: 'CONFIRMED', from: 'ordering-application' } as const
  const row = { recordId: 'r1', place: 0, label: 'POST webhook CONFIRMED o1', orderId: 'a', event }
  engine.submit({ kind: 'playback.load', rows: [{ ...row, atMs: 0, causes: [] }] })
  while (engine.take()) {
    if (engine.world.playback.rows.get('r1')?.sent)
      engine.submit({ kind: 'playback.conclude', recordId: 'r1', standing: 'same' })
  }
  return facts
}

const kinds = (facts: readonly Fact[], kind: Fact['kind']): number =>
  facts.filter((fact) => fact.kind === kind).length

test.each(['unknown-event', 'unknown-field', 'illegal-transition:says=DELIVERED'])(
  '%s acts on events of this world only: recorded ones are neither distorted nor counted',
  (spec) => {
    const facts = played(spec)
    expect(kinds(facts, 'agenda.refused')).toBe(0)
    expect(kinds(facts, 'fault.fired')).toBe(0)
    expect(kinds(facts, 'playback.sent')).toBe(1)
  },
)

test('duplicate-late: a recorded event is repeated as soon as its first webhook was accepted', () => {
  const facts = played('duplicate-late:atMost=5m')
  expect(kinds(facts, 'playback.sent')).toBe(2)
  expect(kinds(facts, 'agenda.released')).toBe(1)
})
