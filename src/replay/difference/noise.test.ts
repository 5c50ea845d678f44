/** What is noise between two runs of one service, and what is a difference. */
import { describe, expect, test } from 'vitest'
import { noisySession, type NoisyRun } from '../../../test/support/noisy-session.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { escapePointerKey } from '../../core/traffic/json/json-pointer.ts'
import { compareExchanges } from './compare-exchanges.ts'
import type { Difference, Rule } from '../../core/traffic/recording/difference.ts'
import { isList } from '../../core/traffic/recording/json.ts'
import { createRuleBook } from './protocol-rules.ts'
import { instantInText } from './text-form.ts'
import { acceptNoise, createTentativeNoise } from './noise.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

const recorded = noisySession({ seed: 7, firstTicket: 1001 })
const book = createRuleBook()

const pairsOf = (live: readonly Exchange[], rules = book) =>
  recorded.map((each, index) => ({
    recorded: each,
    live: live[index] ?? each,
    differences: compareExchanges(each, live[index] ?? each, rules),
  }))

/** The open differences, as `index side where`. */
const openIn = (differences: readonly (readonly Difference[])[]): readonly string[] =>
  differences.flatMap((list, index) =>
    list.flatMap(({ accepted, side, where }) => (accepted ? [] : [`${index} ${side}${where}`])),
  )

const reported = (live: readonly Exchange[], rules = book): readonly string[] =>
  openIn(acceptNoise(pairsOf(live, rules)))

/** Exchanges of one order. */
const perOrder = 6

const anotherRun: NoisyRun = { seed: 8, firstTicket: 1027, jitterMs: 400 }

type Change = (reply: string, exchange: Exchange) => string

/** The live run with the texts of some of the service's messages changed. */
const withChanges = (change: Change, from = 0, to = Number.POSITIVE_INFINITY) =>
  noisySession(anotherRun).map((each, index): Exchange => {
    const { reply, request } = each
    if (index < from || index > to || reply === undefined) return each
    return {
      ...each,
      request: {
        ...request,
        ...(request.body === undefined || each.from.party !== 'subject'
          ? {}
          : { body: change(request.body, each) }),
      },
      reply: {
        ...reply,
        headers: reply.headers.map(([name, value]) => [name, change(value, each)] as const),
        ...(reply.body === undefined ? {} : { body: change(reply.body, each) }),
      },
    }
  })

const runs: readonly (readonly [string, NoisyRun])[] = [
  ['its tickets begin anew', { seed: 8, firstTicket: 1001 }],
  ['its tickets count on', { seed: 8, firstTicket: 1027 }],
  ['its tickets get a digit more', { seed: 8, firstTicket: 9995 }],
  ['it is slower by up to 400 ms', anotherRun],
  ['two orders overtake each other', { ...anotherRun, swapped: [4, 5] }],
]

describe('an unchanged service does not differ', () => {
  test.each(runs)('when %s', (_, run) => {
    const live = noisySession(run)
    const pairs = pairsOf(live)
    // Guards against an empty comparison.
    expect(openIn(pairs.map(({ differences }) => differences)).length).toBeGreaterThan(60)
    expect(openIn(acceptNoise(pairs))).toEqual([])
  })

  test('when only some of its orders are replayed, so that it takes fewer numbers', () => {
    const dense = new Map(['1027', '1030', '1033'].map((old, nth) => [old, String(1027 + nth)]))
    const live = withChanges((text) =>
      text.replaceAll(/\b10\d\d\b/g, (number) => dense.get(number) ?? number),
    )
    const isReplayed = (_: unknown, index: number): boolean =>
      Math.floor(index / perOrder) % 3 === 0
    expect(openIn(acceptNoise(pairsOf(live).filter(isReplayed)))).toEqual([])
  })

  test('nor while it is still replayed', () => {
    const noise = createTentativeNoise()
    expect(openIn(pairsOf(noisySession(anotherRun)).map(noise.accept))).toEqual([])
  })

  test('and each accepted difference has a rule with its reason', () => {
    const accepted = acceptNoise(pairsOf(noisySession(anotherRun))).flat()
    const kinds = Map.groupBy(accepted, ({ rule }) => `${rule.at} ${rule.compare.as}`)
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining([
        '$.body.receiptId identifier',
        '$.body.ticket counter',
        '$.body.ticketId identifier',
        '$.body.ticketNumber counter',
        '$.body.kitchenKey identifier',
        '$.body.log[*].id identifier',
        '$.body.log[*].at time',
        '$.body.approvalKey identifier',
      ]),
    )
    for (const { rule } of accepted) expect(rule.reason).toMatch(/\.$/)
  })
})

describe('a difference among the noise is reported', () => {
  test('a counter that skips, at the ticket that is too high and at no other', () => {
    const live = withChanges(
      (text) => text.replaceAll(/T-(10\d\d)/g, (_, n: string) => `T-${Number(n) + 1}`),
      5 * perOrder,
    )
    const found = reported(live)
    expect(found).toContain('30 reply/body/ticket')
    expect(new Set(found.map((each) => Math.floor(Number.parseInt(each, 10) / perOrder)))).toEqual(
      new Set([5]),
    )
  })

  test('a ticket that two orders have', () => {
    const live = withChanges((text) => text.replaceAll('T-1030', 'T-1029'))
    expect(reported(live).length).toBeGreaterThan(0)
  })

  test('a ticket that is another one in a single answer', () => {
    const live = withChanges(
      (text) => text.replaceAll('T-1030', 'T-1031'),
      3 * perOrder,
      3 * perOrder,
    )
    expect(reported(live)).toEqual(['18 reply/body/ticket'])
  })

  test('an id that stands for two', () => {
    const [, , , { reply } = recorded[0]!] = noisySession(anotherRun)
    const other = /"ticketId":"([^"]+)"/.exec(reply?.body ?? '')?.[1] ?? ''
    const live = withChanges(
      (text) => text.replace(/"ticketId":"[^"]+"/, `"ticketId":"${other}"`),
      perOrder,
      perOrder,
    )
    expect(reported(live)).toEqual(['6 reply/body/ticketId'])
  })

  test('an id of the recording in the place of a new one', () => {
    const old = /"receiptId":"([^"]+)"/.exec(recorded[0]?.reply?.body ?? '')?.[1] ?? ''
    const live = withChanges(
      (text) => text.replace(/"receiptId":"[^"]+"/, `"receiptId":"${old}"`),
      2,
      2,
    )
    // And where it was recorded: it cannot be another one there, when it is still in use.
    expect(reported(live)).toEqual(['0 reply/body/receiptId', '2 reply/body/receiptId'])
  })

  test('the table of the order is no ticket of the service', () => {
    const live = withChanges((text) => text.replaceAll('"T-7"', '"T-8"'), 3, 3)
    expect(reported(live)).toEqual(['3 reply/body/table'])
  })

  test('an error code, a price and a code of the menu that differ everywhere', () => {
    const live = withChanges((text) =>
      text
        .replaceAll('E-100', 'E-101')
        .replaceAll(/"value":(\d+)/g, (_, n: string) => `"value":${Number(n) + 1}`),
    )
    const places = new Set(reported(live).map((each) => each.replace(/^\d+ /, '')))
    expect(places).toEqual(new Set(['reply/body/errorCode', 'reply/body/total/value']))
  })

  test('an instant that is more than a minute off', () => {
    const live = withChanges(
      (text) =>
        text.replace(/"receivedAt":"([^"]+)"/, (_, at: string) => {
          const late = new Date((instantInText(at) ?? 0) + 61_000).toISOString()
          return `"receivedAt":"${late}"`
        }),
      4,
      8,
    )
    expect(reported(live)).toEqual(['6 reply/body/receivedAt', '8 reply/body/receivedAt'])
  })
})

describe('rules of the user', () => {
  const rule = (at: string, as: 'equal' | 'identifier' | 'counter'): Rule => ({
    at,
    compare: { as },
    from: 'user',
    reason: 'as the user says',
  })

  test('equal stays equal', () => {
    const strict = createRuleBook([rule('$.body.ticketId', 'equal')])
    const places = reported(noisySession(anotherRun), strict).map((each) =>
      each.replace(/^\d+ /, ''),
    )
    expect(new Set(places)).toEqual(new Set(['reply/body/ticketId']))
  })

  test('identifier and counter hold for values of any form, over all exchanges', () => {
    const nick = [
      'anna',
      'bert',
      'carl',
      'dora',
      'emil',
      'fred',
      'gina',
      'hans',
      'ines',
      'jule',
      'kurt',
      'lena',
    ]
    const live =
      (first: number) =>
      (text: string, { orderId }: Exchange) => {
        const nth = [...new Set(recorded.map((each) => each.orderId))].indexOf(orderId)
        return text.replace(
          '"isOpen":true',
          `"isOpen":true,"nick":"${nick[(nth + first) % 12]} ","status2":"code ${nth + first}"`,
        )
      }
    const before = recorded.map((each) => ({
      ...each,
      reply: { ...each.reply!, body: live(0)(each.reply?.body ?? '', each) },
    }))
    const now = withChanges(live(3))
    const pairs = (rules = book) =>
      before.map((each, index) => ({
        recorded: each,
        live: now[index]!,
        differences: compareExchanges(each, now[index]!, rules),
      }))
    const places = (list: readonly string[]) =>
      new Set(list.map((each) => each.replace(/^\d+ /, '')))
    expect(places(openIn(acceptNoise(pairs())))).toContain('reply/body/nick')
    const written = createRuleBook([rule('$.body.status2', 'counter')])
    expect(places(openIn(acceptNoise(pairs(written))))).toEqual(new Set(['reply/body/nick']))
  })
})

interface Mutant {
  readonly what: string
  readonly place: string
  readonly live: readonly Exchange[]
}

/** Other values of the same form: what a defect would write there. */
function othersOf(value: unknown, key: string): readonly unknown[] {
  if (typeof value === 'boolean') return [!value, null]
  if (typeof value === 'number') {
    if (value > 1e12) return [value + 61_000, 0]
    if (value > 1e9) return [value + 61, 0]
    return [value + 1, value - 1, value * 10, String(value), null]
  }
  if (typeof value !== 'string') return []
  const at = instantInText(value)
  if (at !== undefined) return [new Date(at + 61_000).toISOString(), '', null]
  const ticket = /^([TPE]-)(\d+)$/.exec(value)
  if (ticket) return [`${ticket[1]}${Number(ticket[2]) + 1}`, `${ticket[1]}9000`, ticket[2], null]
  if (/Id$|^id$/.test(key) && /\d/.test(value)) return ['', 'none', `${value}x`, null]
  return [`${value} or not`, value.toUpperCase() === value ? 'CANCELLED' : 'otherwise', '', null]
}

function mutantsOf(live: readonly Exchange[], index: number): readonly Mutant[] {
  const mutants: Mutant[] = []
  const exchange = live[index]!
  const side = exchange.from.party === 'subject' ? 'request' : 'reply'
  const message = exchange[side]!
  const add = (place: string, what: string, body: unknown): void => {
    const changed = { ...exchange, [side]: { ...message, body: JSON.stringify(body) } }
    mutants.push({ what, place: `${index} ${side}${place}`, live: live.with(index, changed) })
  }
  if (!message.body?.startsWith('{')) return []
  const root: unknown = JSON.parse(message.body)
  function visit(value: unknown, path: readonly (string | number)[]): void {
    const key = path.at(-1)
    const place = `/body${path.map((each) => `/${escapePointerKey(String(each))}`).join('')}`
    const edited = (change: (holder: Record<string | number, unknown>) => void): unknown => {
      const copy = structuredClone(root)
      change(
        path
          .slice(0, -1)
          .reduce<unknown>(
            (inside, each) => (inside as Record<string | number, unknown>)[each],
            copy,
          ) as Record<string | number, unknown>,
      )
      return copy
    }
    if (isList(value)) value.forEach((each, at) => visit(each, [...path, at]))
    else if (isUnknownRecord(value))
      for (const name of Object.keys(value)) visit(value[name], [...path, name])
    else if (key !== undefined) {
      for (const other of othersOf(value, String(key)))
        add(
          place,
          `${place} = ${JSON.stringify(other)} for ${JSON.stringify(value)}`,
          edited((holder) => {
            holder[key] = other
          }),
        )
      add(
        place,
        `${place} left out`,
        edited((holder) => {
          delete holder[key]
        }),
      )
    }
  }
  visit(root, [])
  return mutants
}

test(
  '99 % of all single changes of a noisy service are reported at their place',
  { tags: ['slow'] },
  () => {
    const live = noisySession(anotherRun)
    const pairs = pairsOf(live)
    // One order in the middle: all its exchanges.
    const mutants = Array.from({ length: perOrder }, (_, index) =>
      mutantsOf(live, 4 * perOrder + index),
    ).flat()
    expect(mutants.length).toBeGreaterThan(150)
    const survived = mutants.filter(({ place, live: changed }) => {
      const index = Number.parseInt(place, 10)
      const mutated = pairs.with(index, {
        recorded: recorded[index]!,
        live: changed[index]!,
        differences: compareExchanges(recorded[index]!, changed[index]!, book),
      })
      return !openIn(acceptNoise(mutated)).includes(place)
    })
    expect(survived.map(({ what }) => what)).toEqual([])
  },
)
