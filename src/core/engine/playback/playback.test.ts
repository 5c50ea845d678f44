import { compact } from '../../base/compact.ts'
import { expect, test } from 'vitest'
import { SessionEngine, type Engine } from '../engine.ts'
import { noon, transcript } from '../../../../test/support/transcript.ts'
import { createPacer } from './pace.ts'
import { playbackReactor } from './react.ts'
import { type PlaybackLoadRow, playbackWindow } from './row.ts'

function world(): Engine {
  const { settings } = transcript().engine
  return new SessionEngine({ seed: 1, settings, reactors: [playbackReactor], origin: noon })
}

const row = (recordId: string, more: Partial<PlaybackLoadRow> = {}): PlaybackLoadRow => ({
  recordId,
  place: Number(recordId.slice(1)),
  label: `POST ${recordId}`,
  atMs: 0,
  causes: [],
  ...more,
})

const load = (engine: Engine, ...rows: readonly PlaybackLoadRow[]) =>
  engine.submit({ kind: 'playback.load', rows }, 'session')

const conclude = (engine: Engine, recordId: string, failed?: true) =>
  engine.submit({
    kind: 'playback.conclude',
    recordId,
    standing: failed ? 'error' : 'same',
    ...compact({ failed }),
  })

const agenda = ({
  world: {
    agenda: { byId },
  },
}: Engine) =>
  [...byId.values()].map(({ command, due }) => [
    command.kind === 'playback.send' ? command.recordId : command.kind,
    due - noon,
  ])

test('a row becomes an item at its time; a dependant after its cause has ended and the think time has passed', () => {
  const engine = world()
  load(
    engine,
    row('r1', { atMs: 100 }),
    row('r2', { atMs: 200, causes: [{ recordId: 'r1', thinkMs: 50 }] }),
    row('r3', { atMs: 200.25, causes: [{ recordId: 'r1', thinkMs: 900 }] }),
  )
  expect(agenda(engine)).toEqual([['r1', 100]])
  engine.take()
  engine.advanceTo(noon + 120)
  conclude(engine, 'r1')
  expect(agenda(engine)).toEqual([
    ['r2', 200],
    ['r3', 1020],
  ])
})

test('all direct and indirect dependants of a failed exchange are blocked', () => {
  const engine = world()
  const after = (recordId: string) => [{ recordId, thinkMs: 0 }]
  load(engine, row('r1'), row('r2', { causes: after('r1') }), row('r3', { causes: after('r2') }))
  load(engine, row('r4'))
  engine.take()
  const decision = conclude(engine, 'r1', true)
  const facts = decision.ok ? decision.value : []
  expect(
    facts.map((fact) => 'recordId' in fact && [fact.recordId, 'standing' in fact && fact.standing]),
  ).toEqual([
    ['r1', 'error'],
    ['r2', 'blocked'],
    ['r3', 'blocked'],
  ])
  expect([...engine.world.playback.rows.keys()]).toEqual(['r4'])
})

test('hold, delay, duplicate, drop and undo work on exchanges to be sent', () => {
  const engine = world()
  load(engine, row('r1', { atMs: 10 }), row('r2', { atMs: 20 }))
  engine.submit({ kind: 'agenda.hold', id: 1 })
  engine.submit({ kind: 'agenda.duplicate', id: 2 })
  expect(engine.take()?.item.command).toMatchObject({ recordId: 'r2' })
  const again = engine.take()?.decision
  expect(again?.ok && again.value[0]).toMatchObject({ kind: 'playback.sent', again: true })
  engine.submit({ kind: 'agenda.release', id: 1 })
  engine.submit({ kind: 'agenda.drop', id: 1 })
  expect(agenda(engine)).toEqual([])
  engine.submit({ kind: 'agenda.undo' })
  expect(agenda(engine)).toEqual([['r1', 20]])
})

test('an exchange that is sent alone is still to be sent', () => {
  const engine = world()
  load(engine, row('r1', { atMs: 10 }))
  const ref = { recordId: 'r1', place: 1, label: 'POST r1', at: noon }
  const alone = engine.submit({ kind: 'playback.send', ...ref, alone: true })
  expect(alone.ok && alone.value).toMatchObject([
    { kind: 'playback.sent', alone: true, again: true },
  ])
  expect(agenda(engine)).toEqual([['r1', 10]])
  const planned = engine.take()?.decision
  expect(planned?.ok && planned.value[0]).not.toHaveProperty('again')
  expect(conclude(engine, 'r1').ok).toBe(true)
})

test('items of one instant are sent in the order of the recording, however late they became ready', () => {
  const engine = world()
  load(engine, row('r1'), row('r2', { causes: [{ recordId: 'r1', thinkMs: 0 }] }), row('r3'))
  engine.take()
  conclude(engine, 'r1')
  expect(engine.take()?.item.command).toMatchObject({ recordId: 'r2' })
})

test('loading more rows than the window is refused', () => {
  const engine = world()
  const rows = Array.from({ length: playbackWindow + 1 }, (_, index) => row(`r${index}`))
  const decision = load(engine, ...rows)
  expect(decision.ok).toBe(false)
  expect(load(engine, ...rows.slice(1)).ok).toBe(true)
})

test('the pace scales and caps pauses, and ignores a clock that went back', () => {
  const twice = createPacer({ mode: 'original', speed: 2, maxGapMs: 100 })
  expect([1000, 1100, 1050, 1150, 9000].map(twice.next)).toEqual([0, 50, 50, 75, 175])
  expect(twice.think(60)).toBe(30)
  expect(twice.think(-5)).toBe(0)
  const rate = createPacer({ mode: 'rate', perSecond: 4 })
  expect([5, 5, 5].map(rate.next)).toEqual([0, 250, 500])
  const asap = createPacer({ mode: 'asap' })
  expect([asap.next(7), asap.next(9000), asap.think(50)]).toEqual([0, 0, 0])
  expect(createPacer({ mode: 'original', timing: 'recorded' }).think(50)).toBe(0)
})

test('an exchange of the other side is awaited: it is no item, and its dependants are sent after it', () => {
  const engine = world()
  load(
    engine,
    row('r1', { awaited: true }),
    row('r2', { atMs: 5, causes: [{ recordId: 'r1', thinkMs: 50 }] }),
  )
  expect(agenda(engine)).toEqual([])
  engine.advanceTo(noon + 700)
  const concluded = conclude(engine, 'r1')
  expect(concluded.ok && concluded.value[0]).not.toHaveProperty('unsent')
  expect(agenda(engine)).toEqual([['r2', 750]])
})

test('an awaited exchange that fails blocks its dependants', () => {
  const engine = world()
  load(
    engine,
    row('r1', { awaited: true }),
    row('r2', { causes: [{ recordId: 'r1', thinkMs: 0 }] }),
  )
  const concluded = conclude(engine, 'r1', true)
  expect(concluded.ok && concluded.value[1]).toMatchObject({ recordId: 'r2', standing: 'blocked' })
  expect(engine.world.playback.rows.size).toBe(0)
})
