/**
 * Schema of the steps of a scenario: one key, its kind, with its input. A new kind needs a line here and a handler in
 * perform.ts.
 */
import { z } from 'zod'
import { orderTriggers } from '../protocol/orders/lifecycle.ts'
import { newOrderFields } from '../configuration/new-order.ts'
import { itemShape } from './item.ts'
import {
  OperationName,
  HandoverChannel,
  countingKey,
  EventTypeName,
  countKeys,
  DurationMs,
  OrderSlot,
  StatusName,
} from './shared-shapes.ts'

/** Timeout of a step that waits where none is configured, in ms: the default of `tolerances.converge`. */
export const defaultWaitMs = 120_000

const within = DurationMs.optional().describe(
  'how long it may take at most (tolerances.converge, when absent; a wait for a status then goes on as long as orders move)',
)

/** Triggers of the order lifecycle, and answers to a cancellation request. */
export const orderMoves = [
  ...orderTriggers,
  'accept-cancellation',
  'deny-cancellation',
  'leave-cancellation-open',
] as const

const fields = z.record(z.string(), z.json())

const Trigger = z.strictObject({
  order: OrderSlot,
  move: z.enum(orderMoves).describe('what happens to it: cancel, conclude, deny-cancellation …'),
  force: z.literal(true).optional().describe('even where the life of an order has no such step'),
  code: z.string().optional().describe('for cancel: the code that the event gives'),
  reason: z.string().optional().describe('for cancel: the reason that the event gives'),
})

const Emit = z.strictObject({
  order: OrderSlot,
  event: EventTypeName.describe('its type; X_… is one that the protocol does not know'),
  metadata: fields.optional().describe('what it says besides'),
  force: z.literal(true).optional().describe('even where the order should not have such an event'),
})

const Alter = z.strictObject({
  order: OrderSlot,
  event: EventTypeName,
  nth: z.int().min(1).optional().describe('the n-th such event of the order'),
  change: fields.describe('the fields that get another value'),
})

const Await = z
  .strictObject({
    call: OperationName.optional().describe('until this call was made'),
    event: EventTypeName.optional().describe('until an event of this type reached your service'),
    acknowledged: EventTypeName.optional().describe(
      'until your service took responsibility for an event of this type',
    ),
    status: StatusName.optional().describe('until the order has had this status'),
    quiet: z.literal(true).optional().describe('until nothing is left to do on either side'),
    order: OrderSlot.optional(),
    channel: HandoverChannel.optional(),
    times: z.int().min(1).optional().describe('so often (once, when absent)'),
    counting: countingKey,
    fresh: z.literal(true).optional().describe('counted from this step on, not from the beginning'),
    within,
  })
  .superRefine(exactlyOne('a wait', ['call', 'event', 'acknowledged', 'status', 'quiet']))
  .superRefine(
    onlyWith({
      order: ['call', 'event', 'acknowledged', 'status'],
      channel: ['event', 'acknowledged'],
      times: ['call', 'event', 'acknowledged'],
      counting: ['call'],
      fresh: ['call', 'event', 'acknowledged'],
    }),
  )

const Check = z
  .strictObject({
    status: z
      .union([StatusName, z.array(StatusName).min(1)])
      .optional()
      .describe('the status that the order has now, or those it may have'),
    view: z
      .union([StatusName, z.array(StatusName).min(1)])
      .optional()
      .describe('the status that your service itself says the order has (subject.probe)'),
    call: OperationName.optional().describe('how often this call was made until now'),
    order: OrderSlot.optional(),
    ...countKeys,
    counting: countingKey,
  })
  .superRefine(exactlyOne('a check', ['status', 'view', 'call']))
  .superRefine(
    onlyWith({ times: ['call'], 'at-least': ['call'], 'at-most': ['call'], counting: ['call'] }),
  )

const item = z.strictObject(itemShape)

/** Item edits that can be batched (`together`). */
const Edit = z
  .strictObject({
    hold: item.optional(),
    release: item.optional(),
    drop: item.optional(),
    duplicate: item.optional(),
    delay: item.extend({ by: DurationMs }).optional(),
  })
  .superRefine(exactlyOne('an edit', ['hold', 'release', 'drop', 'duplicate', 'delay']))
export type ItemEditInput = z.output<typeof Edit>

/** Input schema of each kind of step. */
export const stepSchemas = {
  create: z
    .union([OrderSlot, z.array(OrderSlot).min(1)])
    .describe('an order of `orders` is placed, or several one after the other'),
  crowd: z
    .strictObject({
      times: z.int().min(1).max(10_000).describe('how many'),
      ...newOrderFields,
    })
    .describe('so many orders at once, which take the next slots'),
  trigger: Trigger.describe('an operator action on our side: triggers a transition'),
  emit: Emit.describe('an event that no move brings'),
  alter: Alter.describe('an event that was emitted says something else from now on'),
  await: Await.describe('waits, and fails when it does not come in time'),
  advance: DurationMs.describe('lets so much time pass'),
  step: z.int().min(1).max(100_000).describe('takes so many items of the agenda, due or not'),
  hold: item
    .extend({ within })
    .describe('takes the due time of an item away, until it is released or the steps are over'),
  release: item.describe('gives a held item its due time back'),
  drop: item.extend({ within }).describe('removes an item: it will not happen'),
  duplicate: item.extend({ within }).describe('copies an item right behind itself'),
  delay: item.extend({ by: DurationMs, within }).describe('puts an item off'),
  move: item
    .extend({
      to: z.enum(['earlier', 'later']).optional().describe('one place'),
      onto: item.optional().describe('to the place of this other item'),
      within,
    })
    .superRefine(exactlyOne('a move', ['to', 'onto']))
    .describe('moves an item among the others'),
  edit: item
    .extend({ change: fields.describe('the fields that get another value'), within })
    .describe('changes what an item will do'),
  together: z
    .array(Edit)
    .min(1)
    .describe('several edits at once, of items as they stood before the first of them'),
  arrange: z
    .array(item)
    .min(2)
    .describe('these items trade their places, to come in the order in which they stand here'),
  undo: z.literal(true).describe('takes the last edit of the agenda back'),
  redo: z.literal(true).describe('redoes the edit that was undone last'),
  fault: z.json().describe('activates a fault, or all of a profile, as `faults` takes them'),
  'end-of-faults': z.literal(true).describe('disables all faults and releases what they held back'),
  check: Check.describe('fails when it is not so at this moment'),
  clock: z
    .strictObject({
      mode: z.enum(['real', 'stepped', 'virtual']).optional(),
      speed: z.number().positive().max(1000).optional(),
    })
    .describe('how time passes from now on'),
  command: z
    .looseObject({ kind: z.string().min(1) })
    .describe('any command of the engine, for experts; orderId may be a slot'),
  ask: z
    .strictObject({
      path: z
        .string()
        .startsWith('/')
        .optional()
        .describe(
          'a path of your service; {orderId} in it is the order’s id. With `for`, that of the configuration (subject.asks) when absent',
        ),
      method: z.enum(['GET', 'POST', 'PATCH']).optional().describe('POST, when absent'),
      body: z.json().optional(),
      order: OrderSlot.optional(),
      for: z
        .literal('cancellation')
        .optional()
        .describe('your service will ask to cancel the order, because a person asked it to'),
      within,
    })
    .refine((ask) => ask.path !== undefined || ask.for !== undefined, {
      message: 'say where: path, or for: cancellation',
    })
    .describe('asks your service itself for something, as a person at its screen would'),
  'restart-subject': z
    .literal(true)
    .describe('your service is stopped and started again (with --start)'),
} as const

export type StepKind = keyof typeof stepSchemas
const stepKinds = Object.keys(stepSchemas) as readonly StepKind[]

export const ScenarioStep = z
  .strictObject(
    Object.fromEntries(stepKinds.map((word) => [word, stepSchemas[word].optional()])) as {
      [Each in StepKind]: z.ZodOptional<(typeof stepSchemas)[Each]>
    },
  )
  .meta({ minProperties: 1, maxProperties: 1 })
  .superRefine((step, context) => {
    const named = Object.keys(step)
    if (named.length === 1) return
    context.addIssue({
      code: 'custom',
      message:
        named.length === 0
          ? `a step does one of these: ${stepKinds.join(', ')}`
          : `a step does one thing, and this one does ${named.length} (${named.join(', ')}); write a line of its own for each`,
    })
  })

/** A step as its kind and input. */
export type StepEntry = {
  readonly [Each in StepKind]: {
    readonly kind: Each
    readonly input: z.output<(typeof stepSchemas)[Each]>
  }
}[StepKind]

export function stepEntryOf(step: z.output<typeof ScenarioStep>): StepEntry {
  const [[word, input] = []] = Object.entries(step)
  return { kind: word, input } as StepEntry
}

export type StepInputOf<Each extends StepKind> = Extract<StepEntry, { kind: Each }>['input']

/** Refinement: exactly one of these keys. */
function exactlyOne(what: string, keys: readonly string[]) {
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

/** Refinement: keys that have an effect only together with certain others. */
function onlyWith(beside: Readonly<Record<string, readonly string[]>>) {
  return (value: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    for (const [key, keys] of Object.entries(beside)) {
      if (value[key] === undefined || keys.some((each) => value[each] !== undefined)) continue
      const message = `says nothing here: it stands beside ${keys.join(', ')}`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  }
}
