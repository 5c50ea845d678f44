/** The words about the session as a whole: faults, the clock, any command, and the service itself. */
import { z } from 'zod'
import { compact } from '../../base/compact.ts'
import type { Command } from '../../engine/command.ts'
import { type JsonData, jsonData } from '../../protocol/json-value.ts'
import { defaultAsks } from '../../session-api/configuration/subject.ts'
import { ClockChange } from '../../session-api/session-info.ts'
import { askSubject } from '../ask-subject.ts'
import { ofOrder, OrderSlot, StepFailure, within } from '../shared-shapes.ts'
import { orderIdOfSlot, type StepContext } from '../step-context.ts'
import { defineWord } from './word.ts'
import { shortened } from '../../protocol/count-text.ts'
import { looseObject, strictObject } from '../../base/lazy-object.ts'

const maxTextChars = 80

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return shortened(text, maxTextChars)
}

/** Changes the `orderId` fields of a command: slots become ids when it is played, and ids slots when it is saved. */
export function changeOrderIds(value: unknown, change: (orderId: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => changeOrderIds(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'orderId' && typeof each === 'string' ? change(each) : changeOrderIds(each, change),
    ]),
  )
}

const Ask = strictObject(() => ({
  path: z
    .string()
    .startsWith('/')
    .optional()
    .describe(
      'a path of your service; {orderId} in it is the order’s id. With `for`, that of the configuration (subject.asks) when absent',
    ),
  method: z.enum(['GET', 'POST', 'PATCH']).optional().describe('POST, when absent'),
  body: jsonData().optional(),
  order: OrderSlot.optional(),
  for: z
    .literal('cancellation')
    .optional()
    .describe('your service will ask to cancel the order, because a person asked it to'),
  within,
})).refine((ask) => ask.path !== undefined || ask.for !== undefined, {
  message: 'say where: path, or for: cancellation',
})

/** Session time passes while the subject answers. */
async function performAsk(input: z.output<typeof Ask>, performer: StepContext): Promise<void> {
  const { path, method = 'POST', body, for: purpose, within: withinMs = performer.waitMs } = input
  const { session } = performer
  const orderId = orderIdOfSlot(input.order, performer)
  if (purpose === 'cancellation' && orderId !== undefined) session.asked(orderId)
  const wanted = path ?? performer.asks.cancellation
  const place = wanted.replace('{orderId}', encodeURIComponent(orderId ?? ''))
  const mayBeMissing = performer.asks.cancellation === defaultAsks.cancellation
  const setting = path === undefined ? { name: `subject.asks.${purpose}`, mayBeMissing } : undefined
  await askSubject({ method, path: place, ...compact({ body }) }, performer, withinMs, setting)
}

export const faultWords = {
  fault: defineWord({
    shape: jsonData().describe('activates a fault, or all of a profile, as `faults` takes them'),
    text: (spec) => `fault ${shortText(spec)}`,
    perform: (spec, { actions }) => actions.submit({ kind: 'fault.add', spec }),
    save: { 'fault.add': ({ spec }) => spec as JsonData },
  }),
  'end-of-faults': defineWord({
    shape: z.literal(true).describe('disables all faults and releases what they held back'),
    text: () => 'the end of faults',
    perform: (_, { actions }) => actions.submit({ kind: 'fault.end' }),
    save: { 'fault.end': () => true as const },
  }),
}

export const sessionWords = {
  clock: defineWord({
    shape: ClockChange.describe('how time passes from now on'),
    text: ({ mode, speed }) =>
      `the clock: ${[mode, speed === undefined ? undefined : `${speed} times as fast`].filter(Boolean).join(', ')}`,
    perform: ({ mode, speed }, { session }) => session.setClock(compact({ mode, speed })),
  }),
  command: defineWord({
    shape: looseObject(() => ({ kind: z.string().min(1) })).describe(
      'any command of the engine, for experts; orderId may be a slot',
    ),
    text: ({ kind }) => `command ${kind}`,
    perform(input, { actions }) {
      const idOf = (text: string) => (/^o[1-9]\d*$/.test(text) ? actions.order(text) : text)
      return actions.submit(changeOrderIds(input, idOf) as Command)
    },
  }),
  ask: defineWord({
    shape: Ask.describe('asks your service itself for something, as a person at its screen would'),
    text: ({ for: purpose, path, order }) =>
      `your service is asked for ${purpose ?? path}${ofOrder(order)}`,
    perform: performAsk,
  }),
  'restart-subject': defineWord({
    shape: z.literal(true).describe('your service is stopped and started again (with --start)'),
    text: () => 'your service is started again',
    async perform(_, { restartSubject }) {
      if (!restartSubject)
        throw new StepFailure('only who started your service can start it again: say --start')
      await restartSubject()
    },
  }),
}
