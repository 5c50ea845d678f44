import { expect, test } from 'vitest'
import { orderEvents } from './events.ts'
import { orderLifecycle, orderTriggers, orderLifecycles } from './lifecycle.ts'
import { orderStatuses, orderTypes, type OrderType } from './order.ts'

const { transitionsFrom: legalOrderTransitions, step: orderStep } = orderLifecycles.strict

/**
 * Expected outcome of every trigger in every status, from the protocol's tables: the target status, `=` when the target
 * is reached already, `<` when the order has passed it, `-` when the transition is not in the table.
 */
const delivery = `
              confirm   preparing ready-for-pickup dispatch    collect     delivered cancel    conclude
  CREATED     CONFIRMED -         -                -           -           -         CANCELLED -
  CONFIRMED   =         PREPARING READY            -           -           -         CANCELLED -
  PREPARING   <         =         READY            -           -           -         CANCELLED -
  READY       <         <         =                IN_DELIVERY IN_DELIVERY DELIVERED CANCELLED -
  IN_DELIVERY <         <         <                =           =           DELIVERED CANCELLED -
  DELIVERED   <         <         <                <           <           =         -         CONCLUDED
  CANCELLED   -         -         -                -           -           -         =         CONCLUDED
  CONCLUDED   <         <         <                <           <           <         -         =`

/** TAKEOUT and INDOOR have no dispatch and no courier. IN_DELIVERY is reachable only by force. */
const atTheStore = `
              confirm   preparing ready-for-pickup dispatch collect delivered cancel    conclude
  CREATED     CONFIRMED -         -                -        -       -         CANCELLED -
  CONFIRMED   =         PREPARING READY            -        -       -         CANCELLED -
  PREPARING   <         =         READY            -        -       -         CANCELLED -
  READY       <         <         =                -        -       DELIVERED CANCELLED -
  IN_DELIVERY <         <         <                =        =       DELIVERED CANCELLED -
  DELIVERED   <         <         <                -        -       =         -         CONCLUDED
  CANCELLED   -         -         -                -        -       -         =         CONCLUDED
  CONCLUDED   <         <         <                -        -       <         -         =`

const grids: Readonly<Record<OrderType, string>> = {
  DELIVERY: delivery,
  TAKEOUT: atTheStore,
  INDOOR: atTheStore,
}

const marks = { applied: '=', passed: '<', refused: '-' } as const

test.each(orderTypes)(
  'every status × trigger outcome of a %s order equals the table',
  (profile) => {
    const rows = grids[profile].trim().split('\n')
    const [head = [], ...cells] = rows.map((row) => row.trim().split(/\s+/))
    expect(head).toEqual([...orderTriggers])
    expect(cells.map(([status]) => status)).toEqual([...orderStatuses])
    for (const status of orderStatuses) {
      const found = orderTriggers.map((trigger) => {
        const next = orderStep(status, trigger, profile)
        return next.kind === 'moves' ? next.row.to : marks[next.kind]
      })
      expect([status, ...found]).toEqual(cells.find(([name]) => name === status))
    }
  },
)

test('the event of a transition projects the transition’s target status', () => {
  for (const row of orderLifecycle) expect(orderEvents[row.emits].projects).toBe(row.to)
})

test('no transition emits an event that the profile forbids', () => {
  for (const { emits, profiles = orderTypes } of orderLifecycle)
    for (const profile of profiles)
      expect(orderEvents[emits].obligation[profile]).not.toBe('MUST NOT')
})

test('the legal transitions of an order are the rows that start at its status', () => {
  const triggers = (profile: OrderType): readonly string[] =>
    legalOrderTransitions('READY', profile).map(({ trigger }) => trigger)
  expect(triggers('DELIVERY')).toEqual(['dispatch', 'collect', 'delivered', 'cancel'])
  expect(triggers('INDOOR')).toEqual(['delivered', 'cancel'])
  expect(legalOrderTransitions('CONCLUDED', 'DELIVERY')).toEqual([])
})

test('CONCLUDED has no transitions, and CANCELLED only conclude', () => {
  for (const profile of orderTypes) {
    expect(legalOrderTransitions('CONCLUDED', profile)).toEqual([])
    expect(legalOrderTransitions('CANCELLED', profile).map(({ to }) => to)).toEqual(['CONCLUDED'])
    expect(legalOrderTransitions('DELIVERED', profile).map(({ to }) => to)).toEqual(['CONCLUDED'])
  }
})
