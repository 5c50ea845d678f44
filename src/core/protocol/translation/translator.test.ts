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

describe('a member that takes the place of its parent', () => {
  const lift = { 'rows.price.value': { currency: 'BRL' }, 'total.value': { currency: 'BRL' } }
  const price = (value: number) => ({ value, currency: 'BRL' })

  test('is written alone, in lists too, and read with the others beside it', () => {
    const body = { rows: [{ price: price(1.5), at: 1 }, { at: 2 }], total: price(0) }
    const [wire, back] = thereAndBack({ lift }, body)
    expect(wire).toEqual({ rows: [{ price: 1.5, at: 1 }, { at: 2 }], total: 0 })
    expect(back).toEqual(body)
  })

  test('stands for each entry of a list of parents, may be renamed, and leaves what has it not', () => {
    const [wire, back] = thereAndBack(
      { lift: { 'prices.value': { currency: 'BRL' } }, fields: { prices: 'amounts' } },
      { prices: [price(1), price(2)] },
    )
    expect(wire).toEqual({ amounts: [1, 2] })
    expect(back).toEqual({ prices: [price(1), price(2)] })
    const { fromWire, toWire } = translator({ lift })
    const own = { total: { other: 1 }, rows: null }
    expect(toWire('op', 'reply', own)).toEqual(own)
    // What is in the documents' form already, and what says nothing, is read as it is.
    const theirs = { total: price(2), rows: [{ price: null }] }
    expect(fromWire('op', 'reply', theirs)).toEqual(theirs)
  })
})

describe('a field that follows from another', () => {
  const byWord = { code: { from: 'type', words: { CREATED: 'PLC', CONFIRMED: 'CFM' } } }
  const event = {
    byWord,
    copy: { 'meta.of': 'order' },
    fields: { type: 'fullCode' },
    words: { type: { CREATED: 'PLACED' } },
  }

  test('is written besides, and gone where it is read', () => {
    const [wire, back] = thereAndBack(event, { type: 'CREATED', order: 'o' })
    expect(wire).toEqual({ fullCode: 'PLACED', order: 'o', code: 'PLC', meta: { of: 'o' } })
    expect(back).toEqual({ type: 'CREATED', order: 'o' })
  })

  test('is not written for a word without one, nor over what is there', () => {
    const { toWire } = translator(event)
    expect(toWire('op', 'reply', { type: 'OTHER' })).toEqual({ fullCode: 'OTHER' })
    expect(toWire('op', 'reply', { type: 'CREATED', code: 'X' })).toEqual({
      fullCode: 'PLACED',
      code: 'X',
    })
  })

  test('is read in place of a missing one; where both are there and differ, the field itself counts', () => {
    const { fromWire } = translator(event)
    expect(fromWire('op', 'reply', { code: 'CFM', meta: { of: 'o' } })).toEqual({
      type: 'CONFIRMED',
      order: 'o',
    })
    expect(fromWire('op', 'reply', { code: 'CFM', fullCode: 'PLACED' })).toEqual({
      type: 'CREATED',
      code: 'CFM',
    })
  })
})

test('a body that is absent is read as it is assumed, and one that is empty as it is', () => {
  const { fromWire, toWire } = translator({
    assumed: { '': { reason: 'none' }, mode: 'AUTO' },
    fields: { reason: 'why' },
  })
  expect(fromWire('op', 'request', undefined)).toEqual({ reason: 'none', mode: 'AUTO' })
  expect(fromWire('op', 'request', {})).toEqual({ mode: 'AUTO' })
  expect(fromWire('op', 'request', { why: 'x' })).toEqual({ reason: 'x', mode: 'AUTO' })
  expect(toWire('op', 'request', undefined)).toBeUndefined()
})

describe('a translation that cannot be turned round is refused', () => {
  test.each([
    [{ lift: { value: {} } }, 'lift.value', 'value is in no object whose place it could take'],
    [
      { lift: { 'p.a': {}, 'p.b': {} } },
      'lift.p.b',
      'p.b cannot take the place of p, which p.a takes',
    ],
    [{ lift: { 'p.a': {} }, absent: ['p'] }, 'lift.p.a', 'the translation leaves it out (absent)'],
    [{ fields: { a: 'x', b: 'x' } }, 'fields.b', 'it writes x of the partner, as fields.a does'],
    [{ fields: { a: 'x' }, copy: { x: 'b' } }, 'copy.x', 'it writes x of the partner, as fields.a'],
    [
      { absent: ['t'], byWord: { c: { from: 't', words: { A: 'X', B: 'X' } } } },
      'byWord.c.words.B',
      'X cannot be read: it is the word of A as well, and t itself is left out (absent)',
    ],
    [{ assumed: { '': 'text' } }, 'assumed.', 'is not an object, and a body is one'],
  ])('%j', (translation, place, text) => {
    const { issues } = BodyTranslation.safeParse({ operations: ['op'], ...translation }).error!
    expect(issues.map(({ path }) => path.join('.'))).toEqual([place])
    expect(issues[0]?.message).toContain(text)
  })

  test.each([
    { lift: { 'p.a': {}, 'q.a': {} }, absent: ['r'] },
    { fields: { a: 'x', b: 'y' }, copy: { z: 'a' } },
    // The word itself is on the wire.
    { byWord: { c: { from: 't', words: { A: 'X', B: 'X' } } } },
    { absent: ['t'], byWord: { c: { from: 't', words: { A: 'X', B: 'Y' } } } },
    { absent: ['t'], assumed: { t: 'A' }, byWord: { c: { from: 't', words: { A: 'X', B: 'X' } } } },
  ])('and none that can be: %j', (translation) => {
    expect(BodyTranslation.safeParse({ operations: ['op'], ...translation }).success).toBe(true)
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
