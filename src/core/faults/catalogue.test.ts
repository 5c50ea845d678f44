/** The contract of every fault in the catalogue. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createChance } from '../engine/chance.ts'
import type { Distortion } from '../engine/faults/distortion.ts'
import type { FaultPoint } from '../engine/faults/fault-point.ts'
import type { PlannedCommand } from '../engine/agenda/item.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { Order } from '../protocol/orders/order.ts'
import { faultCatalogue } from './catalogue.ts'
import { type FaultDefinition, isLegalFault } from './fault.ts'
import { faultPort } from './port.ts'
import { faultSchema } from './schema.ts'
import { checkFault, commonFaultOptions, faultOptionsSchema } from './spec.ts'
import { faultText } from './spec-text.ts'

const all = faultCatalogue.map((fault) => [fault.name, fault] as const)

test('a fault’s name is unique', () => {
  expect(new Set(faultCatalogue.map(({ name }) => name)).size).toBe(faultCatalogue.length)
})

test('every code of the classification is covered', () => {
  const codes = new Set(faultCatalogue.flatMap(({ code }) => code.split(', ')))
  const alphabet = [
    ...Array.from({ length: 12 }, (_, index) => `E${index + 1}`),
    ...Array.from({ length: 11 }, (_, index) => `R${index + 1}`),
  ]
  expect(alphabet.filter((code) => !codes.has(code))).toEqual([])
})

test.each(all)('%s has a summary of one sentence', (_name, { summary }) => {
  expect(summary).toMatch(/^[a-z].{10,90}[^.]$/)
})

test.each(all)(
  '%s describes all its options, and none collides with a common one',
  (_name, { options }) => {
    for (const [name, option] of Object.entries(options.shape)) {
      expect(`${name}: ${(option as z.ZodType).description}`).toMatch(/: (?!undefined).{5}/)
      expect(Object.keys(commonFaultOptions())).not.toContain(name)
    }
  },
)

test.each(all)(
  '%s needs no options, and its text form parses back to the same options',
  (_name, fault) => {
    expect(checkFault({ [fault.name]: {} }, faultCatalogue)).toMatchObject({ ok: true })
    for (let draw = 0; draw < 30; draw++) {
      const options = fault.vary(createChance(draw, fault.name))
      const text = faultText(fault.name, options)
      const [byText, byObject] = [
        checkFault(text, faultCatalogue),
        checkFault({ [fault.name]: options }, faultCatalogue),
      ]
      if (!byText.ok || !byObject.ok) throw new Error(`${text} is refused`)
      expect(byText.value).toEqual(byObject.value)
      expect(byText.value.text).toBe(text)
    }
  },
)

/** The fault points of a kind: all kinds of messages, with all variants. */
const meetings: readonly FaultPoint[] = [
  ...(['polling', 'webhook'] as const).flatMap((channel) =>
    ['CREATED', 'CONFIRMED', 'CANCELLED'].map((eventType): FaultPoint => ({
      kind: 'handover',
      channel,
      eventId: 'e1',
      eventType,
      from: 'ordering-application',
      orderId: 'a',
      merchantId: 'm',
      reveals: eventType === 'CREATED',
      closes: eventType === 'CANCELLED',
      alsoBy: channel === 'polling' ? 'webhook' : 'polling',
      ...(eventType === 'CREATED' ? {} : { previousAt: '2026-01-05T15:00:00.000Z' }),
    })),
  ),
  { kind: 'effect', trigger: 'confirm', orderId: 'a' },
  { kind: 'arrival', arrival: 1, orderId: 'a', merchantId: 'm' },
  ...(
    ['pollingEvents', 'acknowledgeEvents', 'getOrder', 'confirmOrder', 'issueToken'] as const
  ).map((operation): FaultPoint => ({
    kind: 'answer',
    operation,
    method: operation === 'getOrder' || operation === 'pollingEvents' ? 'GET' : 'POST',
    from: 'software-service',
    to: 'ordering-application',
    clientId: 'subject',
    ...(operation === 'getOrder' || operation === 'confirmOrder' ? { orderId: 'a' } : {}),
    ...(operation === 'confirmOrder'
      ? {
          repeats: {
            eventId: 'e1',
            eventType: 'CONFIRMED' as const,
            channels: ['polling', 'webhook'] as const,
          },
        }
      : {}),
    events:
      operation === 'pollingEvents' || operation === 'acknowledgeEvents'
        ? [
            { eventId: 'e1', eventType: 'CREATED', orderId: 'a' },
            { eventId: 'e2', eventType: 'CONFIRMED', orderId: 'a' },
          ]
        : [],
  })),
  {
    kind: 'answer',
    operation: 'pollingEvents',
    method: 'GET',
    from: 'software-service',
    to: 'ordering-application',
    events: [],
  },
  {
    kind: 'call',
    operation: 'receiveOrderEvent',
    method: 'POST',
    from: 'ordering-application',
    to: 'software-service',
    attempt: 1,
    eventType: 'CONFIRMED',
    eventId: 'e2',
    orderId: 'a',
    events: [{ eventType: 'CONFIRMED', orderId: 'a' }],
  },
]

const planOf = (meeting: FaultPoint): PlannedCommand => ({
  command:
    meeting.kind === 'arrival'
      ? { kind: 'order.create', order: Order.parse(minimalOrder('a')), arrival: 1 }
      : meeting.kind === 'handover' && meeting.channel === 'polling'
        ? { kind: 'event.offer', eventId: 'e1' }
        : { kind: 'event.push', eventId: 'e1', attempt: 1 },
  afterMs: 10,
})

/** The result of a fault at a fault point; undefined when it does not act there. */
function made(
  fault: FaultDefinition,
  options: Readonly<Record<string, unknown>>,
  meeting: FaultPoint,
) {
  const chance = createChance(1, 'made')
  const checked = {
    name: fault.name,
    anchor: {},
    meets: fault.meets,
    options,
    legal: true,
    text: '',
  }
  return 'operation' in meeting
    ? faultPort.distortMessage(checked, meeting, chance, false)?.value
    : faultPort.distortPlan(checked, planOf(meeting), meeting, chance)?.value
}

test.each(all)('%s acts at each kind of fault point that it declares', (_name, fault) => {
  const seen = new Set<string>()
  for (let draw = 0; draw < 40; draw++)
    for (const meeting of meetings)
      if (made(fault, fault.vary(createChance(draw, fault.name)), meeting) !== undefined)
        seen.add(meeting.kind)
  expect([...seen].toSorted()).toEqual([...fault.meets].toSorted())
})

test.each(all)('%s is pure: the same draw gives the same result', (_name, fault) => {
  for (const meeting of meetings) {
    const options = fault.vary(createChance(5, fault.name))
    expect(made(fault, options, meeting)).toEqual(made(fault, options, meeting))
  }
})

/** What a fault makes of calls of the service, in all sizes. */
const answersOf = (fault: FaultDefinition): readonly Distortion[] =>
  Array.from({ length: 40 }, (_, draw) => fault.vary(createChance(draw, fault.name))).flatMap(
    (options) =>
      meetings
        .filter(({ kind }) => kind === 'answer')
        .flatMap((meeting) => (made(fault, options, meeting) as Distortion | undefined) ?? []),
  )

const failsCall = ({ reply, end }: Distortion): boolean =>
  (reply?.status ?? 0) >= 400 || end === 'hang' || end === 'reset' || end === 'truncate'

test.each(all.filter(([, { replacements }]) => replacements === undefined))(
  '%s has the traits that a search draws by: those of what it makes of calls',
  (_name, fault) => {
    const { traits = [], meets, legal } = fault
    const calls = answersOf(fault)
    const doesFail = calls.length > 0 && calls.every(failsCall)
    // A refusal that no correct partner makes is not searched with.
    expect(traits.includes('failure')).toBe(doesFail && legal !== false)
    if (traits.includes('permanent')) expect(traits).toContain('failure')
    if (traits.includes('loss') || traits.includes('order')) expect(meets).toEqual(['handover'])
    if (traits.includes('transport') || traits.includes('client-wide'))
      expect(meets).toContain('answer')
  },
)

/** The longest delay of any conformant fault, for waiting until an order has recovered. */
const longestMs = 600_000

const conformant = all.filter(([, fault]) =>
  Array.from({ length: 40 }, (_, draw) => fault.vary(createChance(draw, fault.name))).some(
    (options) => isLegalFault(fault, options),
  ),
)

test.each(conformant)(
  '%s leaves an order recoverable with any options drawn by a storm',
  (_name, fault) => {
    for (let draw = 0; draw < 60; draw++) {
      const options = fault.vary(createChance(draw, fault.name))
      if (!isLegalFault(fault, options)) continue
      for (const meeting of meetings) {
        const left = made(fault, options, meeting)
        if (!left || !('length' in left)) continue
        // Events that alone reveal an order arrive, and accepted calls take effect.
        const needed = meeting.kind === 'effect' || (meeting.kind === 'handover' && meeting.reveals)
        const { command } = planOf(meeting)
        if (needed) expect(left.map((each) => each.command)).toContainEqual(command)
        expect(left.length).toBeLessThanOrEqual(10)
        for (const { afterMs, wait } of left)
          expect(Math.max(afterMs, wait?.atMostMs ?? 0)).toBeLessThanOrEqual(longestMs)
      }
    }
  },
)

test('one schema for editors covers all faults and describes each option', () => {
  const schema = z.toJSONSchema(faultSchema(), { io: 'input', unrepresentable: 'any' })
  const text = JSON.stringify(schema)
  for (const [name, fault] of all) {
    expect(text).toContain(`"${name}":`)
    const { properties } = z.toJSONSchema(faultOptionsSchema(fault), {
      io: 'input',
      unrepresentable: 'any',
    })
    for (const [option, inner] of Object.entries(properties ?? {}))
      expect((inner as { description?: string }).description, `${name}.${option}`).toBeTruthy()
  }
  const accepts = (spec: unknown): boolean => faultSchema().safeParse(spec).success
  expect(accepts({ drop: { event: 'CONFIRMED', nth: 1 } })).toBe(true)
  expect(accepts('drop:event=CONFIRMED')).toBe(true)
  expect(accepts('peak-hour')).toBe(true)
  expect(accepts({ drop: { evnt: 'CONFIRMED' } })).toBe(false)
  expect(accepts('drip:event=CONFIRMED')).toBe(false)
})
