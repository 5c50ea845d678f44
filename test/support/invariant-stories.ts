/**
 * Cases of invariants as text. Each begins with its rule, its clauses and the situation; the harness, what happens and
 * each defect with what must be found follow:
 *
 *     SE-3 [ORD-CAN-02] when CANCELLED comes between two attempts of a call
 *       with { channel: webhook, faults: [{ fail: { operation: confirmOrder, burst: outlast } }] }
 *       play order TAKEOUT; 3000; cancel o1; 60000
 *       finishes-what-it-began: confirmed o1 5.# s after … CANCELLED => POST /webhooks/orders  204; POST /orders/…/confirm  503
 *
 * A number lets so many milliseconds pass. `#` is any digit, `#+` are several, `…` is any text. Before the colon may stand
 * the order, o1 when absent, or `-` for none, and `advice`. `a & b x3` repeats steps or lines of evidence, which may be in
 * quotes.
 */
import { parse } from 'yaml'
import { orderEventTypes as eventTypes } from '../../src/core/protocol/orders/events.ts'
import { orderTypes } from '../../src/core/protocol/orders/order.ts'
import { isDefectName } from '../../src/demo/defects.ts'
import type { InProcessHarness } from './in-process-harness.ts'
import { type ExpectedFinding, type InvariantStory, testInvariant } from './invariant-cases.ts'
import { oneOf } from './one-of.ts'
import { says } from './says.ts'

type Play = InvariantStory['play']

/** `a & b x3` is three times a and then b. */
function repeated(text: string): readonly string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [, step = part, count = '1'] = /^(.*) x(\d+)$/.exec(part) ?? []
      const steps = step.split(' & ').map((each) => each.replace(/^"(.*)"$/, '$1'))
      return Array.from({ length: Number(count) }, () => steps).flat()
    })
}

const triggers = ['preparing', 'ready-for-pickup', 'delivered'] as const

/** What a step does to the order that it names. */
async function take(harness: InProcessHarness, step: string, orderId: string): Promise<unknown> {
  const { session } = harness
  const [verb = '', , what = ''] = step.split(' ')
  switch (verb) {
    case 'cancel':
      return session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    case 'apply':
      return session.submit({ kind: 'order.apply', orderId, trigger: oneOf(triggers, what) })
    case 'emit':
      return session.submit({ kind: 'event.emit', orderId, eventType: oneOf(eventTypes, what) })
    case 'deny':
      return session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
    case 'fault':
      return session.faults.add(parse(step.slice(verb.length)))
    case 'judge':
      return session.judge()
    default:
      throw new Error(`there is no step ${step}`)
  }
}

/** Plays `order TAKEOUT; 3000; cancel o1; 60000`. */
const playOf =
  (text: string): Play =>
  async (harness) => {
    const orders: string[] = []
    const asked: Promise<unknown>[] = []
    for (const step of repeated(text)) {
      const [verb = '', name = ''] = step.split(' ')
      const order = orders[Number(name.slice(1)) - 1] ?? ''
      if (/^o\d/.test(name) && order === '') throw new Error(`there is no order ${step}`)
      if (/^\d+$/.test(verb)) await harness.pass(Number(verb))
      else if (verb === 'order') orders.push(await harness.order(oneOf(orderTypes, name)))
      else if (verb === 'request') asked.push(harness.requestCancellation(order))
      else await take(harness, step, order)
    }
    await Promise.all(asked)
  }

/** `4# s` is four and a digit. */
const piece = (text: string): string | RegExp =>
  text.includes('#')
    ? new RegExp(says(text).source.replaceAll(/#(?:\\(\+))?/g, String.raw`\d$1`))
    : text

const caseLine = /^([A-Z]{2}-\d+) \[(.+?)\] (when .*)$/
const findingLine = /^([a-z0-9-]+)((?: (?:o\d+|-|advice))*): (.*) =>(.*)$/

function findingOf(marks: string, because: string, lines: string): ExpectedFinding {
  const slot = /o\d+|-/.exec(marks)?.[0]
  return {
    because: says(...because.split(' … ').map(piece)),
    lines: repeated(lines),
    ...(slot === undefined ? {} : { slot: slot === '-' ? null : slot }),
    ...(marks.includes('advice') ? { advice: true } : {}),
  }
}

interface ParsedCase {
  readonly id: string
  readonly clauses: string
  readonly when: string
  readonly story: InvariantStory
  readonly caught: Readonly<Record<string, ExpectedFinding>>
}

/** The lines, each with those that continue it. */
const wholeLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .reduce<readonly string[]>(
      (lines, line) =>
        caseLine.test(line) || /^(?:with|play) /.test(line) || /^[a-z0-9-]+( \S+)*: /.test(line)
          ? [...lines, line]
          : [...lines.slice(0, -1), `${lines.at(-1) ?? ''} ${line}`],
      [],
    )

export function parseInvariantCases(text: string): readonly ParsedCase[] {
  const cases: ParsedCase[] = []
  for (const line of wholeLines(text)) {
    const [glued] = / [A-Z]{2}-\d+ \[.*/.exec(line) ?? []
    if (glued !== undefined)
      throw new Error(`a case begins "AB-1 [clauses] when …", not "${glued.trim()}"`)
    const [, id, clauses = '', when = ''] = caseLine.exec(line) ?? []
    if (id !== undefined) {
      cases.push({ id, clauses, when, story: { play: playOf('') }, caught: {} })
      continue
    }
    const last = cases.pop()
    if (!last) throw new Error(`no case begins before: ${line}`)
    const [, defect = '', marks = '', because = '', lines = ''] = findingLine.exec(line) ?? []
    if (line.startsWith('with ')) {
      const options = parse(line.slice(5)) as Partial<InvariantStory>
      cases.push({ ...last, story: { ...last.story, ...options } })
    } else if (line.startsWith('play ')) {
      cases.push({ ...last, story: { ...last.story, play: playOf(line.slice(5)) } })
    } else {
      if (!isDefectName(defect)) throw new Error(`there is no defect ${line}`)
      const caught = { ...last.caught, [defect]: findingOf(marks, because, lines) }
      cases.push({ ...last, caught })
    }
  }
  return cases
}

/** The tests of each case in the text: one with a correct service, and one for each defect. */
export function testInvariants(text: string): void {
  for (const each of parseInvariantCases(text)) testInvariant(each)
}
