/** Translation of bodies: what is written, and that reading it gives back what was meant. */
import { describe, expect, test } from 'vitest'
import { Conduct } from '../conduct.ts'
import { openDeliveryV2 } from '../dialects/opendelivery-v2.ts'
import { BodyTranslation } from './settings.ts'
import { bodyTranslator } from './translator.ts'

const translator = (...translations: readonly object[]) =>
  bodyTranslator({
    translations: Object.fromEntries(
      translations.map((each, index) => [
        `${index}`,
        BodyTranslation.parse({ operations: ['op'], ...each }),
      ]),
    ),
  })!

/** What is written of a body, and what is read of that. */
const thereAndBack = (translation: object, body: unknown) => {
  const { toWire, fromWire } = translator(translation)
  const wire = toWire('op', 'reply', body)
  return [wire, fromWire('op', 'reply', wire)]
}

describe('a body', () => {
  test('is untouched without a translation of its operation and part', () => {
    expect(bodyTranslator(Conduct.parse({}))).toBeUndefined()
    const { toWire, fromWire, translates } = translator({ of: 'request', absent: ['a'] })
    const body = { a: 1 }
    expect(toWire('op', 'reply', body)).toBe(body)
    expect(fromWire('other', 'request', body)).toBe(body)
    expect([translates('op', 'request'), translates('op', 'reply')]).toEqual([true, false])
    expect(toWire('op', 'request', body)).toEqual({})
  })

  test('of ours is never changed in place', () => {
    const body = { list: [{ a: 1, b: { c: 'x' } }], kept: { d: 1 } }
    const before = structuredClone(body)
    const { toWire } = translator({
      at: ['list'],
      absent: ['a'],
      fields: { 'b.c': 'e' },
      words: { 'b.c': { x: 'y' } },
      added: { f: 1 },
    })
    const written = toWire('op', 'reply', body) as typeof body
    expect(written).toEqual({ list: [{ e: 'y', f: 1 }], kept: { d: 1 } })
    expect(body).toEqual(before)
    expect(written.kept).toBe(body.kept)
  })

  test('that is no object, or has another shape than expected, stays as it is', () => {
    const { toWire, fromWire } = translator({
      at: ['', 'a.b'],
      absent: ['c.d'],
      fields: { 'e.f': 'g.h' },
      words: { i: { x: 'y' } },
      assumed: { 'j.k': 1 },
      added: { 'l.m': 1 },
    })
    for (const body of [
      undefined,
      null,
      'text',
      7,
      [],
      [1, 'x'],
      { a: 3, c: [], e: 'x', i: 5, j: 0, l: '' },
    ]) {
      expect(toWire('op', 'reply', body)).toEqual(body)
      expect(fromWire('op', 'reply', body)).toEqual(body)
    }
    const own = JSON.parse('{"__proto__": {"c": {"d": 1}}, "c": {"d": 1}}') as object
    expect(JSON.stringify(toWire('op', 'reply', own))).toBe('{"__proto__":{"c":{"d":1}},"c":{}}')
  })
})

describe('fields', () => {
  test('keep their place when only their name differs, through lists', () => {
    const [wire, back] = thereAndBack(
      { fields: { 'rows.code': 'rows.reason', rows: 'lines' } },
      { first: 1, rows: [{ code: 'A', at: 1 }, { at: 2 }], last: 2 },
    )
    expect(JSON.stringify(wire)).toBe(
      '{"first":1,"lines":[{"reason":"A","at":1},{"at":2}],"last":2}',
    )
    expect(back).toEqual({ first: 1, rows: [{ code: 'A', at: 1 }, { at: 2 }], last: 2 })
  })

  test('move between objects, which appear and disappear with them', () => {
    const body = { price: { amount: 9, currency: 'BRL' }, id: 'x' }
    const [wire, back] = thereAndBack(
      { fields: { 'price.amount': 'p.q.value', 'price.currency': 'p.q.currency' } },
      body,
    )
    expect(wire).toEqual({ id: 'x', p: { q: { value: 9, currency: 'BRL' } } })
    expect(back).toEqual(body)
  })

  test('of the partner count only where ours are not there', () => {
    const { fromWire } = translator({ fields: { id: 'deliveryId' } })
    expect(fromWire('op', 'reply', { deliveryId: 'd' })).toEqual({ id: 'd' })
    expect(fromWire('op', 'reply', { id: 'own', deliveryId: 'd' })).toEqual({
      id: 'own',
      deliveryId: 'd',
    })
  })

  test('that are absent are assumed when they are read, in objects that are there', () => {
    const { toWire, fromWire } = translator({
      absent: ['status', 'summary.pending'],
      assumed: { status: 'new', 'summary.pending': 0, 'none.x': 1 },
    })
    const body = { status: 'old', summary: { pending: 3, left: 1 } }
    expect(toWire('op', 'reply', body)).toEqual({ summary: { left: 1 } })
    expect(fromWire('op', 'reply', { summary: { left: 1 } })).toEqual({
      status: 'new',
      summary: { pending: 0, left: 1 },
    })
    expect(fromWire('op', 'reply', body)).toEqual(body)
  })
})

describe('words', () => {
  test('of which one has several are written by the first, in lists by all, and each is read', () => {
    const { toWire, fromWire } = translator({
      words: {
        'a.state': { LOCKED: ['LOCKED', 'BLOCKED'] },
        names: { all: ['x', 'y'], no: false },
      },
    })
    expect(toWire('op', 'reply', { a: { state: 'LOCKED' } })).toEqual({ a: { state: 'LOCKED' } })
    expect(fromWire('op', 'reply', { a: { state: 'BLOCKED' } })).toEqual({ a: { state: 'LOCKED' } })
    expect(toWire('op', 'reply', { names: ['all', 'no', 'other'] })).toEqual({
      names: ['x', 'y', 'other'],
    })
    expect(fromWire('op', 'reply', { names: ['x', 'y', 'other'] })).toEqual({
      names: ['all', 'other'],
    })
  })

  test('that share one are told apart by fields beside them', () => {
    const words = {
      type: {
        in: { word: 'consent', with: { 'payload.status': 'opt_in' } },
        out: { word: 'consent', with: { 'payload.status': 'opt_out' } },
        gone: false,
      },
    }
    for (const type of ['in', 'out']) {
      const [wire, back] = thereAndBack({ words }, { type, payload: {} })
      expect(wire).toEqual({ type: 'consent', payload: { status: `opt_${type}` } })
      expect(back).toMatchObject({ type })
    }
    const { fromWire, hasWord } = translator({ words })
    expect(fromWire('op', 'reply', { type: 'consent' })).toEqual({ type: 'consent' })
    expect([hasWord('op', 'type', 'in'), hasWord('op', 'type', 'gone')]).toEqual([true, false])
    expect([hasWord('op', 'other', 'gone'), hasWord('none', 'type', 'gone')]).toEqual([true, true])
  })
})

test('every word and every field of opendelivery-v2 comes back as it went out', () => {
  const conduct = Conduct.parse(openDeliveryV2.conduct)
  const { toWire, fromWire } = bodyTranslator(conduct)!
  const order = {
    id: 'o',
    items: [{ id: 'i', options: [] }],
    fulfillment: { indoor: { originChannel: { type: 'CHAT' }, notifications: { chatId: '5' } } },
    status: 'CREATED',
    lastEvent: 'CREATED',
  }
  const wire = toWire('getOrder', 'reply', order)
  // The judge finds the status of an order at the end of its text.
  expect(JSON.stringify(wire)).toMatch(/,"status":"CREATED","lastEvent":"CREATED"\}$/)
  expect(fromWire('getOrder', 'reply', wire)).toEqual(order)
  for (const { operations, of: part, at, words } of Object.values(conduct.translations))
    for (const [path, table] of Object.entries(words))
      for (const [word, theirs] of Object.entries(table)) {
        if (theirs === false || at[0] !== '' || path.includes('.')) continue
        const body = { [path]: word, payload: {} }
        const [operation = ''] = operations
        const bodyPart = part === 'both' ? 'request' : part
        const read = fromWire(operation, bodyPart, toWire(operation, bodyPart, body))
        const expected = word === 'customer.created' ? 'customer.updated' : word
        expect(read).toMatchObject({ [path]: expected })
      }
})
