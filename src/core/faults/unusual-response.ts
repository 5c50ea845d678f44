/** Valid but unusual messages (R10, E13), which any client that follows HTTP, JSON and the protocol can read. */
import { z } from 'zod'
import type { Distortion } from '../engine/faults/distortion.ts'
import type { MessagePoint } from '../engine/faults/fault-point.ts'
import { operation } from '../protocol/catalogue.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'
import { bodyFormNames, bodyForms } from './rewrite-body.ts'

const variants = [
  'fields',
  'empty-list',
  'no-content',
  'chunked',
  'close',
  'gzip',
  'br',
  'redirect',
] as const

const redirects = [301, 302, 307, 308] as const

/** Unknown fields with values of every JSON type. */
const fields = { x_unknown: { nested: [1, 'two', null] }, x_flag: true, x_number: 4.5 }

const isEmptyPoll = ({ operation: id, events }: MessagePoint): boolean =>
  operation(id).handler.name === 'events.poll' && events.length === 0

export const unusualResponse = defineFault({
  name: 'unusual-response',
  summary: 'a reply is valid but unusual: unknown fields, chunked, an empty list',
  code: 'R10',
  meets: ['answer'],
  symptom: 'unknown',
  options: strictObject(() => ({
    how: oneWord(variants, 'fields').describe(
      'unknown fields; a poll without events as 200 [] or as 204; a body in chunks, without its length; a connection that is closed after it; a body compressed by gzip or br, where the request accepts that; a redirect to the same resource',
    ),
    status: z
      .union(redirects.map((each) => z.literal(each)))
      .default(307)
      .describe('of a redirect'),
  })),
  // No document has redirects, and many clients follow none or turn a POST into a GET.
  legal: ({ how }) => how !== 'redirect',
  // Compression is asked for by name, so that the storms of old seeds stay as they were.
  vary: (chance) => ({ how: chance.pick(variants.slice(0, 5)), status: 307 as const }),
  message({ how, status }, meeting): Distortion | undefined {
    switch (how) {
      case 'fields':
        return { effect: true, change: { kind: 'add', fields } }
      case 'empty-list':
        return isEmptyPoll(meeting)
          ? { effect: true, reply: { status: 200, body: '[]' } }
          : undefined
      case 'no-content':
        return isEmptyPoll(meeting) ? { effect: true, reply: { status: 204 } } : undefined
      case 'chunked':
        return { effect: true, headers: { 'transfer-encoding': 'chunked' } }
      case 'close':
        return { effect: true, headers: { connection: 'close' } }
      case 'gzip':
      case 'br':
        return { effect: true, encoding: how }
      case 'redirect':
        return meeting.kind === 'answer' && !meeting.redirected
          ? { effect: false, reply: { status, moved: true } }
          : undefined
      default:
        how satisfies never
        return undefined
    }
  },
})

/**
 * A webhook, an answer with events or an order is written by another implementation, or by a later version of the partner
 * (E13). It is signed over the bytes that are sent.
 */
export const evolve = defineFault({
  name: 'evolve',
  summary: 'a body is written in another way, or has what no document knows yet',
  code: 'E13',
  meets: ['answer', 'call'],
  symptom: 'unknown',
  traits: ['contents'],
  isNamedOnly: true,
  legal: ({ how }) => bodyForms[how].legal,
  options: strictObject(() => ({
    how: oneWord(bodyFormNames, 'escapes').describe(
      bodyFormNames.map((each) => `${each}: ${bodyForms[each].summary}`).join('; '),
    ),
  })),
  vary: (chance) => ({ how: chance.pick(bodyFormNames.filter((each) => bodyForms[each].legal)) }),
  message({ how: form }, { operation: id, method, kind }, chance): Distortion | undefined {
    const isRead = kind === 'answer' && method === 'GET' && operation(id).capability === 'orders'
    const isWebhook = kind === 'call' && operation(id).webhook !== undefined
    return isRead || isWebhook
      ? { effect: true, change: { kind: 'form', form, draw: chance.below(2 ** 31) } }
      : undefined
  },
})
