import { describe, expect, test } from 'vitest'
import { messagesOf, sharedMessages } from '../../../test/support/search-space.ts'
import { createChance } from '../../core/engine/chance.ts'
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import { faultCatalogue } from '../../core/faults/catalogue.ts'
import { isLegalFault } from '../../core/faults/fault.ts'
import { faultPort } from '../../core/faults/port.ts'
import { faultChoices, optionSizes } from './fault-choices.ts'
import { type ObservedPoint, pointText } from '../schedules/observed-points.ts'
import { faultSpecOf, type ScheduledFault, scheduledFaultText } from '../schedules/schedule.ts'

const channels: readonly EventChannel[] = ['polling', 'webhook']
const points = [...messagesOf(['o1']), ...sharedMessages()]
const choicesAt = points.flatMap((point) =>
  faultChoices(point, channels).map((choice) => [point, choice] as const),
)

const definitionOf = ({ name }: ScheduledFault) => faultCatalogue.find((each) => each.name === name)

/** Legal with some of the options that it draws for itself; nothing that changes orders or ends the process of the service. */
const legalNames = faultCatalogue
  .filter(
    ({ replacements, changesOrders, isNamedOnly, needsStart }) =>
      replacements === undefined && !changesOrders && !isNamedOnly && !needsStart,
  )
  .filter((fault) =>
    Array.from({ length: 100 }, (_, draw) => fault.vary(createChance(draw, 'options'))).some(
      (options) => isLegalFault(fault, options),
    ),
  )
  .map(({ name }) => name)

const choicesOf = (
  kind: ObservedPoint['kind'],
  match: ObservedPoint['match'],
): readonly ScheduledFault[] => faultChoices({ kind, match }, channels)

const namesOf = (choices: readonly ScheduledFault[]): ReadonlySet<string> =>
  new Set(choices.map(({ name }) => name))

describe('the faults at a message', () => {
  test('are only such as a correct partner or network may cause', () => {
    for (const [, choice] of choicesAt) {
      const definition = definitionOf(choice)
      expect(definition && isLegalFault(definition, choice.options)).toBe(true)
    }
  })

  test('are all of them: every such fault of the catalogue distorts some message', () => {
    const reached = namesOf(choicesAt.map(([, choice]) => choice))
    expect(legalNames.filter((name) => !reached.has(name))).toEqual([])
    expect([...reached].filter((name) => !legalNames.includes(name))).toEqual([])
    expect(reached.size).toBeGreaterThan(20)
  })

  test('are another app of the store, and another way to write, where they are named', () => {
    const reached = namesOf(points.flatMap((each) => faultChoices(each, channels, ['evolve'])))
    expect([reached.has('evolve'), reached.has('ghost')]).toEqual([true, false])
  })

  test('are valid fault specifications', () => {
    for (const [, choice] of choicesAt) {
      const checked = faultPort.check(faultSpecOf(choice))
      expect([scheduledFaultText(choice), checked.ok]).toEqual([scheduledFaultText(choice), true])
    }
  })

  test('match that message, and name each size once', () => {
    for (const point of points) {
      const choices = faultChoices(point, channels)
      const texts = choices.map(scheduledFaultText)
      expect(new Set(texts).size).toBe(texts.length)
      for (const { match, burst } of choices) {
        const { nth: _nth, ...all } = point.match
        expect(match).toEqual(burst === undefined ? point.match : all)
      }
    }
  })

  test('are the same whenever they are asked for', () => {
    for (const point of points)
      expect([pointText(point), faultChoices(point, channels)]).toEqual([
        pointText(point),
        faultChoices(point, channels),
      ])
  })
})

describe('a call that is tried again', () => {
  const getOrder = { operation: 'getOrder', order: 'o1' } as const

  test('fails once, or until the caller has given up', () => {
    const failing = choicesOf('answer', { ...getOrder, nth: 1 }).filter(
      ({ name }) => name === 'fail',
    )
    const once = failing.filter(({ burst }) => burst === undefined)
    const always = failing.filter(({ burst }) => burst === 'outlast')
    expect(once.length).toBeGreaterThan(1)
    expect(always.map(({ match }) => match)).toEqual(once.map(() => getOrder))
    expect(always.map(({ options }) => options)).toEqual(once.map(({ options }) => options))
  })

  test('fails at its second attempt only once: the burst from there on is that of the first', () => {
    const second = choicesOf('answer', { ...getOrder, nth: 2 })
    expect(second.filter(({ burst }) => burst !== undefined)).toEqual([])
    expect(namesOf(second).has('fail')).toBe(true)
  })
})

describe('faults fit the message', () => {
  test('an event on both channels can come twice, and one on a single channel cannot', () => {
    const match = { event: 'CONFIRMED', order: 'o1', channel: 'polling' } as const
    expect(namesOf(choicesOf('handover', match)).has('both-channels')).toBe(true)
    expect(
      namesOf(faultChoices({ kind: 'handover', match }, ['polling'])).has('both-channels'),
    ).toBe(false)
  })

  test('the only event that reveals an order is never lost', () => {
    const names = (event: string) =>
      namesOf(choicesOf('handover', { event, order: 'o1', channel: 'polling' }))
    expect(names('CONFIRMED').has('drop')).toBe(true)
    expect(names('CREATED').has('drop')).toBe(false)
    expect(names('CREATED').has('duplicate')).toBe(true)
  })

  test('a webhook can be forged, and a poll cannot', () => {
    const webhook = { operation: 'receiveOrderEvent', event: 'CONFIRMED', order: 'o1', nth: 1 }
    expect(
      namesOf(choicesOf('call', { ...webhook, operation: 'receiveOrderEvent' })).has(
        'wrong-signature',
      ),
    ).toBe(true)
    expect(namesOf(choicesOf('answer', { operation: 'pollingEvents', nth: 1 }))).not.toContain(
      'wrong-signature',
    )
  })

  test('an accepted call takes effect late', () => {
    expect(namesOf(choicesOf('effect', { trigger: 'confirm', order: 'o1' }))).toContain(
      'slow-effect',
    )
  })

  test('a message without an operation has none', () => {
    expect(choicesOf('answer', { order: 'o1' })).toEqual([])
    expect(choicesOf('call', { order: 'o1' })).toEqual([])
  })
})

test('every size of the options of a fault is found, and at most ten of them', () => {
  const sizes = (name: string) =>
    faultCatalogue.filter((each) => each.name === name).flatMap((each) => optionSizes(each))
  expect(sizes('unauthorized')).toEqual(
    expect.arrayContaining([{ revoke: true }, { revoke: false }]),
  )
  expect(sizes('unauthorized')).toHaveLength(2)
  expect(sizes('refuse')).toEqual([])
  for (const fault of faultCatalogue.filter(
    ({ replacements, needsStart }) => !replacements && !needsStart,
  )) {
    const found = optionSizes(fault)
    expect(found.length).toBeLessThanOrEqual(10)
    expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(found.length)
    expect(optionSizes(fault)).toBe(found)
  }
})
