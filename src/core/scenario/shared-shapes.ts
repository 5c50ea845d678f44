/**
 * Schemas that several parts of a scenario share, and how a step fails. Every field has a description, which editors show as
 * help.
 */
import { z } from 'zod'
import { newOrderFields } from '../session-api/configuration/new-order.ts'
import { Duration } from '../protocol/duration.ts'
import { jsonData } from '../protocol/json-value.ts'
import { type OperationId, operations } from '../protocol/catalogue.ts'
import { orderStatuses } from '../protocol/orders/order.ts'
import { v2OperationOf } from '../protocol/v1/operation-names.ts'
import { strictObject } from '../base/lazy-object.ts'
import { timesText } from '../protocol/count-text.ts'

/** A step was refused or timed out; the message is shown to the author of the scenario. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'

  /**
   * Where it says nothing about the service. `late`: an order that is DELIVERED already cannot be cancelled any more; what
   * follows is played. `unserved`: what it needs is not served, or not so decided, and need not be.
   */
  readonly occasion: 'late' | 'unserved' | undefined

  constructor(message: string, occasion?: 'late' | 'unserved') {
    super(message)
    this.occasion = occasion
  }
}

/** Orders are numbered as they come: the same name in steps, faults and reports. */
export const OrderSlot = z
  .string()
  .min(1)
  .describe('an order by its slot: o1 is the first one of the scenario, o2 the second')

export const OperationName = z
  .enum(operations.map(({ id }) => id) as [OperationId, ...OperationId[]])
  .meta({
    id: 'call',
    description: 'an operation of the protocol, such as confirmOrder or getOrder',
  })

/** Compares operations; a V1 operation equals its V2 counterpart. */
export const isSameOperation = (made: OperationId, meant: OperationId): boolean =>
  made === meant || v2OperationOf(made) === meant

export const StatusName = z.enum(orderStatuses).describe('the status of an order')

export const EventTypeName = z
  .string()
  .min(1)
  .describe('the type of an event, such as CONFIRMED or CANCELLED')

/** One type of events, or any of several. */
export const EventTypes = z.union([EventTypeName, z.array(EventTypeName).min(1)])

export const HandoverChannel = z
  .enum(['polling', 'webhook'])
  .describe('how an event is handed over: lying there for polls, or sent by webhook')

export const DurationMs = Duration.describe('a length of time: 250ms, 5s, 2m, 1h')

/** Timeout of a step that waits where none is configured, in ms: the default of `tolerances.converge`. */
export const defaultWaitMs = 120_000

export const within = DurationMs.optional().describe(
  'how long it may take at most (tolerances.converge, when absent; a wait for a status then goes on as long as orders move)',
)

export const jsonFields = z.record(z.string(), jsonData())

export const ScenarioOrder = strictObject(() => ({
  ...newOrderFields(),
  at: DurationMs.optional().describe(
    'placed by itself, so long after the beginning; no step creates it',
  ),
  order: jsonData()
    .optional()
    .describe('an order document, whole or in part, in place of type, merchant, items …'),
}))
export type ScenarioOrder = z.output<typeof ScenarioOrder>

const often = z.int().min(0).max(100_000)

/** Keys of a count condition. */
export const countKeys = () => ({
  times: often.optional().describe('exactly so often'),
  'at-least': often.optional().describe('so often or more'),
  'at-most': often.optional().describe('so often or less'),
})

const countingNames = ['successes', 'tries', 'refusals'] as const
export type Counting = (typeof countingNames)[number]

export const countingKey = z
  .enum(countingNames)
  .optional()
  .describe(
    'what counts: successful calls (default; the same request that is sent again counts once), every attempt, or refusals alone: replies from 400 on, but 401',
  )

/** What happened so often: `was tried`. */
export const countingText: Readonly<Record<Counting, string>> = {
  successes: 'succeeded',
  tries: 'was tried',
  refusals: 'was refused',
}

export interface CountCondition {
  readonly times?: number | undefined
  readonly 'at-least'?: number | undefined
  readonly 'at-most'?: number | undefined
}

/** Whether a count meets a condition; without a condition at least one. */
export function meetsCount(count: number, wanted: CountCondition): boolean {
  const { times, 'at-least': least, 'at-most': most } = wanted
  if (times !== undefined && count !== times) return false
  if (least !== undefined && count < least) return false
  if (most !== undefined && count > most) return false
  return times !== undefined || least !== undefined || most !== undefined || count > 0
}

/** `exactly 2 times`, `at least once`. */
export function countConditionText(wanted: CountCondition): string {
  const { times, 'at-least': least, 'at-most': most } = wanted
  const parts = [
    ...(times === undefined ? [] : [times === 0 ? 'never' : `exactly ${timesText(times)}`]),
    ...(least === undefined ? [] : [`at least ${timesText(least)}`]),
    ...(most === undefined ? [] : [`at most ${timesText(most)}`]),
  ]
  return parts.length > 0 ? parts.join(' and ') : 'at least once'
}

/** ` of o1` */
export const ofOrder = (order: string | undefined): string =>
  order === undefined ? '' : ` of ${order}`

/** Refinement: exactly one of these keys. */
export function exactlyOne(what: string, keys: readonly string[]) {
  return (value: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    const named = keys.filter((key) => value[key] !== undefined)
    if (named.length === 1) return
    const many = named.length === 0 ? 'and there is none' : `and not both ${named.join(' and ')}`
    context.addIssue({
      code: 'custom',
      message: `${what} names one of ${keys.join(', ')}, ${many}`,
    })
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Refinement: keys that have an effect only together with certain others. */
export function onlyWith(beside: Readonly<Record<string, readonly string[]>>) {
  return (value: Fields, context: z.core.$RefinementCtx): void => {
    for (const [key, keys] of Object.entries(beside))
      onlyWhere(
        [key],
        (fields) => keys.some((each) => fields[each] !== undefined),
        keys.join(', '),
      )(value, context)
  }
}

/** Refinement: keys that have an effect only where the others are so; `place` says where: `move: pay`. */
export function onlyWhere(
  keys: readonly string[],
  holds: (fields: Fields) => boolean,
  place: string,
) {
  return (value: Fields, context: z.core.$RefinementCtx): void => {
    if (holds(value)) return
    const message = `says nothing here: it stands beside ${place}`
    for (const key of keys)
      if (value[key] !== undefined) context.addIssue({ code: 'custom', path: [key], message })
  }
}

/** Refinement: a key that has an effect with these moves alone. */
export const onlyOfMove = (key: string, ...moves: readonly string[]) =>
  onlyWhere([key], ({ move }) => moves.includes(String(move)), `move: ${moves.join(' or ')}`)

export const CustomerSlot = z
  .string()
  .regex(/^[oc][1-9]\d*$/, 'is no customer: c1, c2 …, or an order for its customer')
  .describe('the customer of an order (o1), or one of the scenario’s own (c1, c2 …)')

/** The state of an account, delivery or customer: its status, or fields of its document. */
export const EntityState = z.union([z.string().min(1), jsonFields])
export const stateFields = (state: z.output<typeof EntityState>): object =>
  typeof state === 'string' ? { status: state } : state

const points = z
  .union([z.int(), z.string().min(1)])
  .describe(
    'a number of points, the name under which a step remembered one, or `reward`: what the cheapest costs',
  )

export const balanceKeys = () => ({
  points: points.optional().describe('exactly so many'),
  'at-least': points.optional().describe('so many or more'),
  'at-most': points.optional().describe('so many or less'),
})

/** Why a balance is not as wanted; undefined when it is. */
export function balanceDifference(
  is: number | undefined,
  wanted: { readonly [Key in 'points' | 'at-least' | 'at-most']?: number | string | undefined },
  numberOf: (value: number | string) => number,
): string | undefined {
  if (is === undefined) return 'is not known'
  const { points: exact, 'at-least': least, 'at-most': most } = wanted
  const wrong = (word: string, limit: number) => `is ${is}, not ${word}${limit}`
  if (exact !== undefined && is !== numberOf(exact)) return wrong('', numberOf(exact))
  if (least !== undefined && is < numberOf(least)) return wrong('at least ', numberOf(least))
  if (most !== undefined && is > numberOf(most)) return wrong('at most ', numberOf(most))
  return undefined
}
