/**
 * Recall of the comparison: real exchanges with a single mutation each; every mutation must be reported at its place.
 */
import { expect, test } from 'vitest'
import { recordRepeatedRun } from '../../../test/support/repeated-run.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { type DocumentSide } from './document.ts'
import { instantInText } from './text-form.ts'
import { escapePointerKey } from '../../core/traffic/json/json-pointer.ts'
import { isList } from '../../core/traffic/recording/json.ts'
import { createRuleBook } from './protocol-rules.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

const book = createRuleBook()

interface Mutant {
  readonly what: string
  readonly side: DocumentSide
  readonly where: string
  readonly exchange: Exchange
}

/** Another value of the same type, outside any tolerance. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1000
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return 'mutant'
  const at = instantInText(value)
  return at === undefined ? `${value} mutated` : new Date(at + 2 * 86_400_000).toISOString()
}

interface Change {
  readonly what: string
  readonly where: string
  /** Changes a copy of the body. */
  readonly make: (body: unknown) => unknown
}

type Holder = Record<string | number, unknown>
const at = (body: unknown, path: readonly (string | number)[]): Holder =>
  path.reduce<unknown>((inside, key) => (inside as Holder)[key], body) as Holder

function changesOf(body: unknown): readonly Change[] {
  const changes: Change[] = []
  function visit(value: unknown, path: readonly (string | number)[]): void {
    const where = `/body${path.map((key) => `/${escapePointerKey(String(key))}`).join('')}`
    const key = path.at(-1)
    const above = path.slice(0, -1)
    const edit = (what: string, change: (holder: Holder, key: string | number) => void): void => {
      if (key === undefined) return
      changes.push({
        what: `${what} ${where}`,
        where,
        make(copy) {
          change(at(copy, above), key)
          return copy
        },
      })
    }
    if (isList(value)) {
      value.forEach((each, index) => visit(each, [...path, index]))
      if (value.length > 0)
        changes.push({
          what: `one more in ${where}`,
          where: `${where}/${value.length}`,
          make(copy) {
            ;(at(copy, path) as unknown as unknown[]).push({ id: 'mutant', name: 'one more' })
            return copy
          },
        })
    } else if (isUnknownRecord(value)) {
      for (const name of Object.keys(value)) visit(value[name], [...path, name])
      edit('take out', (holder, own) => {
        if (Array.isArray(holder)) holder.splice(Number(own), 1)
        else delete holder[own]
      })
    } else {
      edit('change', (holder, own) => {
        holder[own] = another(value)
      })
      edit('take out', (holder, own) => {
        if (Array.isArray(holder)) holder.splice(Number(own), 1)
        else delete holder[own]
      })
      edit('nothing in', (holder, own) => {
        holder[own] = null
      })
    }
  }
  visit(body, [])
  return changes
}

function withBody(exchange: Exchange, side: DocumentSide, body: unknown): Exchange {
  const text = JSON.stringify(body)
  if (side === 'request') return { ...exchange, request: { ...exchange.request, body: text } }
  return { ...exchange, reply: { ...exchange.reply!, body: text } }
}

function mutantsOf(exchange: Exchange): readonly Mutant[] {
  const bodies = [
    ['request', exchange.request.body],
    ['reply', exchange.reply?.body],
  ] as const
  const inBodies = bodies.flatMap(([side, text]) =>
    text?.startsWith('{') || text?.startsWith('[')
      ? changesOf(JSON.parse(text)).map(({ what, where, make }) => ({
          what: `${exchange.operation} ${side}: ${what}`,
          side,
          where,
          exchange: withBody(exchange, side, make(JSON.parse(text))),
        }))
      : [],
  )
  const reply = exchange.reply!
  const inReply = [409, 500].map((status) => ({
    what: `${exchange.operation} answers ${status}`,
    side: 'reply' as const,
    where: '/status',
    exchange: { ...exchange, reply: { ...reply, status } },
  }))
  const type = reply.headers.some(([name]) => name.toLowerCase() === 'content-type')
  return [
    ...inBodies,
    ...inReply,
    ...(type
      ? [
          {
            what: `${exchange.operation} answers text`,
            side: 'reply' as const,
            where: '/headers/content-type',
            exchange: {
              ...exchange,
              reply: { ...reply, headers: [['Content-Type', 'text/plain'] as const] },
            },
          },
        ]
      : []),
  ]
}

test('99 % of all single mutations of real exchanges are reported at their place', async () => {
  const evening = [
    ...(await recordRepeatedRun(1, { delivers: true })),
    ...(await recordRepeatedRun(1, { channel: 'webhook', types: ['TAKEOUT'] })),
  ]
  // One exchange of each kind, without those of credentials, which may differ.
  const kinds = new Map(evening.map((each) => [`${each.operation} ${each.reply?.status}`, each]))
  const sources = [...kinds.values()].filter(({ operation }) => operation !== 'issueToken')
  expect(sources.length).toBeGreaterThan(12)
  for (const source of sources) expect(compareExchanges(source, source, book)).toEqual([])

  const mutants = sources.flatMap((source) =>
    mutantsOf(source).map((mutant) => ({ ...mutant, source })),
  )
  const survived = mutants.filter(({ source, exchange, side, where }) => {
    const open = compareExchanges(source, exchange, book).filter(({ accepted }) => !accepted)
    return !open.some((each) => each.side === side && each.where === where)
  })
  expect(mutants.length).toBeGreaterThan(500)
  // The rest are a courier's name and the like, which the protocol rules accept in every run.
  expect(
    survived.map(({ what }) => what).filter((what) => !/vehicle|courier|deliveryPerson/.test(what)),
  ).toEqual([])
  expect(survived.length / mutants.length).toBeLessThan(0.01)
})
