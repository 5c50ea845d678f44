import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { applyEdits } from './apply-edits.ts'
import { editRecording } from './edit-recording.ts'
import {
  appliedEditText,
  editText,
  type ExchangeEdit,
} from '../../core/traffic/recording/exchange-edit.ts'
import { editsOfDocument, messageDocument } from './message-document.ts'
import { parseEdit } from './parse-edit.ts'

const parsed = (text: string): ExchangeEdit => {
  const edit = parseEdit(text)
  if (!edit.ok) throw new Error(edit.error)
  return edit.value
}

/** A call that we make, with this body. */
const sent = (body?: string): RecordedExchange => ({
  ...sampleExchange(7, {
    from: { role: 'ordering-application', party: 'sparring' },
    to: { role: 'software-service', party: 'subject' },
    request: {
      method: 'POST',
      url: 'http://shop.test/api/orders/o-7?all=1&day=a%20b',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Tag', 'one'],
        ['x-tag', 'two'],
      ],
      ...(body === undefined ? {} : { body }),
    },
  }),
  recordId: 'r7',
})

const request = (recorded: RecordedExchange, ...texts: readonly string[]) => {
  const edited = applyEdits(recorded, 'request', texts.map(parsed))
  if (!edited.ok) throw new Error(edited.error.map(({ because }) => because).join('; '))
  return edited.value
}

const bodyAfter = (body: string, ...texts: readonly string[]): string | undefined =>
  request(sent(body), ...texts).request.body

const problemOf = (text: string): string => {
  const edit = parseEdit(text)
  return edit.ok ? '' : edit.error
}

describe('what a person writes', () => {
  test('an equals sign in a filter or in a quoted name belongs to the path', () => {
    expect(parsed('#147 $.items[?@.sku=="a=b"].price = 5')).toEqual({
      seq: 147,
      part: { kind: 'json', at: '$.items[?@.sku=="a=b"].price' },
      value: ' 5',
    })
    expect(parsed(`#1 $['a=b']="x=y"`)).toMatchObject({ part: { at: `$['a=b']` }, value: '"x=y"' })
  })

  test.each([
    ['header.X-Foo=bar=baz', { part: { kind: 'header', name: 'X-Foo' }, value: 'bar=baz' }],
    ['query.page.size=2', { part: { kind: 'query', name: 'page.size' }, value: '2' }],
    ['status=503', { part: { kind: 'status' }, value: '503' }],
    ['body=', { part: { kind: 'body' }, value: '' }],
    ['delete $..reason', { part: { kind: 'json', at: '$..reason' } }],
  ])('%s', (text, edit) => {
    expect(parsed(`#3 ${text}`)).toEqual({ seq: 3, ...edit })
    expect(parsed(editText({ seq: 3, ...edit } as ExchangeEdit))).toEqual({ seq: 3, ...edit })
  })

  test.each([
    ['$.reason="x"', /begin with the number of an exchange/],
    ['#3 $.reason', /does not say what is to be changed/],
    ['#3 $.reason=x', /x is no JSON value: a text has double quotes, \$\.reason="x"/],
    ['#3 $.a[="x"', /does not say|no JSONPath/],
    ['#3 $.a b=1', /"\$\.a b" is no JSONPath/],
    ['#3 cookies=1', /"cookies" is no part of a message/],
    ['#3 status=42', /"42" is no status, such as 503/],
    ['#3 delete status', /can be changed, not deleted/],
    ['#3 method=put', /"put" is no method/],
    ['#3 path=orders', /"orders" is no path/],
    ['#3 header.X Y=1', /"X Y" is no name of a header/],
    ['#3 header.X=a\nb', /a header cannot hold/],
    ['#3 header.Content-Length=3', /made by the connection/],
  ])('%s is refused with the reason', (text, reason) => {
    expect(problemOf(text)).toMatch(reason)
  })
})

describe('a JSON body', () => {
  const body = '{ "id": 12345678901234567890, "price": 12.50, "items": [{"q":1},{"q":0},{"q":0}] }'

  test('all places of the path change, and every other number keeps its spelling', () => {
    expect(bodyAfter(body, '#7 $.items[*].q=2.0')).toBe(
      '{"id":12345678901234567890,"price":12.50,"items":[{"q":2.0},{"q":2.0},{"q":2.0}]}',
    )
    expect(bodyAfter(body, '#7 delete $.items[?@.q==0]')).toContain('"items":[{"q":1}]')
  })

  test('a member that is not there is added, also at the end of a list', () => {
    const added = bodyAfter(body, '#7 $.reason="x"', '#7 $.items[3]={"q":9}') ?? ''
    expect(JSON.parse(added)).toMatchObject({ reason: 'x', items: { 3: { q: 9 } } })
    expect(bodyAfter(body, '#7 $["a/b~"]=null')).toContain('"a/b~":null')
  })

  test.each([
    ['#7 $.customer.name="x"', /there is no \$\.customer\.name: the body has id, price, items/],
    ['#7 $.items[9]=1', /there is no \$\.items\[9\]: there is a list of 3/],
    ['#7 $.items[?@.q==7].q=1', /there is no/],
    ['#7 delete $.reason', /there is no \$\.reason: the body has id, price, items/],
    ['#7 delete $', /delete body/],
  ])('%s cannot be made, and the reason says what there is', (text, reason) => {
    expect(() => bodyAfter(body, text)).toThrow(reason)
  })

  test('the whole body can be replaced or deleted; one that is no JSON only as a whole', () => {
    expect(bodyAfter(body, '#7 $=[]')).toBe('[]')
    expect(bodyAfter('a=b', '#7 body=a=c')).toBe('a=c')
    expect(request(sent(body), '#7 delete body').request).not.toHaveProperty('body')
    expect(() => bodyAfter('a=b', '#7 $.a="c"')).toThrow(/no JSON body/)
    expect(() => request(sent(), '#7 $.a="c"')).toThrow(/it has none/)
  })

  test('setting a member to the value that it has changes nothing that a reader sees', () => {
    assert(
      property(dictionary(string(), jsonValue(), { minKeys: 1 }), (value) => {
        const [key = ''] = Object.keys(value)
        if (key === '__proto__') return
        const text = JSON.stringify(value)
        const at = `$[${JSON.stringify(key)}]`
        const edit: ExchangeEdit = {
          seq: 7,
          part: { kind: 'json', at },
          value: JSON.stringify(value[key]),
        }
        const edited = applyEdits(sent(text), 'request', [edit])
        expect(edited.ok && edited.value.request.body).toBe(text)
      }),
    )
  })
})

describe('the rest of a message', () => {
  test('a header keeps its place and spelling; repetitions of it go', () => {
    const { headers } = request(sent('{}'), '#7 header.x-tag=three', '#7 header.X-New=1').request
    expect(headers).toEqual([
      ['Content-Type', 'application/json'],
      ['X-Tag', 'three'],
      ['X-New', '1'],
    ])
    expect(() => request(sent('{}'), '#7 delete header.X-None')).toThrow(
      /no header X-None: it has Content-Type, X-Tag/,
    )
  })

  test('method, path and query', () => {
    const { method, url } = request(sent(), '#7 method=PUT', '#7 path=/api/x?y=1').request
    expect([method, url]).toEqual(['PUT', 'http://shop.test/api/x?y=1'])
    expect(request(sent(), '#7 query.day=c d', '#7 query.new=é').request.url).toBe(
      'http://shop.test/api/orders/o-7?all=1&day=c%20d&new=%C3%A9',
    )
    expect(request(sent(), '#7 delete query.all').request.url).toMatch(/o-7\?day=a%20b$/)
    expect(() => request(sent(), '#7 delete query.nope')).toThrow(/its query has no nope/)
  })

  test('of what we send the status is not ours, of what we answer the path is not', () => {
    expect(() => request(sent(), '#7 status=500')).toThrow(/the answer of your service/)
    const answered = { ...sampleExchange(8), recordId: 'r8' }
    const edits = ['#8 status=503', '#8 $.customer.name="Eva"', '#8 path=/', '#8 header.date=x']
    const edited = applyEdits(answered, 'reply', edits.map(parsed))
    expect(edited.ok ? [] : edited.error.map(({ because }) => because)).toEqual([
      expect.stringContaining('path is of its request'),
      expect.stringContaining('makes date anew'),
    ])
    const first = applyEdits(answered, 'reply', edits.slice(0, 2).map(parsed))
    expect(first.ok && first.value).toMatchObject({
      request: answered.request,
      reply: { status: 503, body: expect.stringContaining('"name":"Eva"') as string },
    })
  })
})

test('what was edited is told with what was there, credentials without their value', () => {
  const { edits = [] } = request(
    sent('{"reason":"late"}'),
    '#7 $.reason="x"',
    '#7 $.code=1',
    '#7 delete header.X-Tag',
    '#7 header.Authorization=Bearer abc',
    '#7 path=/x',
  )
  expect(edits.map(appliedEditText)).toEqual([
    '$.reason "late", now "x"',
    '$.code added: 1',
    'header.X-Tag deleted',
    'header.Authorization added: another value',
    'path /api/orders/o-7?all=1&day=a%20b, now /x',
  ])
})

test.each([
  [{ operation: 'issueToken' } as const, /issued anew/],
  [{ operation: 'pollingEvents', reply: { status: 204, headers: [] } } as const, /without events/],
  [{ to: { role: 'software-service', party: 'subject' } } as const, /has no part in it/],
])('the answer to %j cannot be edited', (change, reason) => {
  const exchanges = [{ ...sampleExchange(8, change), recordId: 'r8' }]
  const edited = editRecording(exchanges, [parsed('#8 status=500')], 'software-service')
  expect(edited.ok ? '' : edited.error[0]?.because).toMatch(reason)
})

test('all edits of a recording that cannot be made are told together', () => {
  const exchanges = [sent('{}'), { ...sampleExchange(8), recordId: 'r8' }]
  const edits = ['#7 status=500', '#7 delete $.a', '#8 path=/', '#9 $.a=1', '#7 $.ok=1']
  const edited = editRecording(exchanges, edits.map(parsed), 'software-service')
  expect(edited.ok ? [] : edited.error.map(({ edit }) => editText(edit))).toEqual(edits.slice(0, 4))
})

describe('the document for an editor', () => {
  const editedTo = (recorded: RecordedExchange, change: (document: string) => string) => {
    const edits = editsOfDocument(recorded, 'request', change(messageDocument(recorded, 'request')))
    return edits.ok ? edits.value.map(editText) : edits.error
  }
  const body = '{"id":12345678901234567890,"price":12.50,"items":[{"q":1},{"q":2}],"a b":{"c":1}}'

  test('unchanged it means no edit, however its numbers are spelled', () => {
    expect(messageDocument(sent(body), 'request')).toContain('"price": 12.50')
    expect(editedTo(sent(body), (document) => document)).toEqual([])
    expect(editedTo(sent('a=b&c=d'), (document) => document)).toEqual([])
    expect(editedTo(sent(), (document) => document)).toEqual([])
  })

  test('each change is an edit of its own', () => {
    expect(
      editedTo(sent(body), (document) =>
        document
          .replace('"POST"', '"PUT"')
          .replace('"q": 2', '"q": 2.0')
          .replace('"price": 12.50,', '')
          .replace('"c": 1', '"c": 1, "d": "x"')
          .replace('"Content-Type": "application/json",', '"X-New": "1",'),
      ),
    ).toEqual([
      '#7 method=PUT',
      '#7 delete header.Content-Type',
      '#7 header.X-New=1',
      '#7 delete $.price',
      '#7 $.items[1].q=2.0',
      '#7 $["a b"].d="x"',
    ])
  })

  test('an answer has its status, and none of the headers that our server makes', () => {
    const answered = { ...sampleExchange(8), recordId: 'r8' }
    const document = messageDocument(answered, 'reply')
    expect(JSON.parse(document)).toMatchObject({
      status: 200,
      headers: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: { customer: { name: 'Ana Souza' } },
    })
    const edits = editsOfDocument(answered, 'reply', document.replace('200', '503'))
    expect(edits.ok && edits.value.map(editText)).toEqual(['#8 status=503'])
  })

  test.each([
    [/^[^]*$/, '[]', /an object in braces is wanted/],
    [/"method": "POST",/, '', /"method" is missing/],
    [/"headers"/, '"header"', /"header" is no part of it: these are method, path, headers/],
    [/"headers": \{[^}]*\}/, '"headers": []', /no object of names and values/],
    [/"body"/, '"text": "a", "body"', /exclude each other/],
    [/"one"/, '{}', /X-Tag is no text/],
    [/"POST"/, '"post"', /"post" is no method/],
  ])('%s as %s is refused with the reason', (part, replacement, reason) => {
    const change = (document: string): string => document.replace(part, replacement)
    expect(editedTo(sent('{}'), change)).toMatch(reason)
  })

  test('the edits of a changed document make the message that the document shows', () => {
    assert(
      property(jsonValue({ maxDepth: 3 }), jsonValue({ maxDepth: 3 }), (one, other) => {
        const [before, after] = [one, other].map((each) => JSON.stringify({ v: each }))
        if (before?.includes('__proto__') || after?.includes('__proto__')) return
        const recorded = sent(before)
        const edits = editsOfDocument(recorded, 'request', messageDocument(sent(after), 'request'))
        const edited = edits.ok && applyEdits(recorded, 'request', edits.value)
        const text = edited && edited.ok ? edited.value.request.body : undefined
        expect(JSON.parse(text ?? '')).toEqual(JSON.parse(after ?? ''))
      }),
    )
  })
})
