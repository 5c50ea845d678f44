/** Redaction of HAR entries. The canary tests cover what must go; these cover what must stay. */
import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'
import {
  canaryKinds,
  canaryEncodings,
  archiveEntryWithCanaries,
} from '../../../../test/support/canaries.ts'
import { redactHarEntry, redactHarLog } from './har-entry.ts'
import type { UnknownRecord } from '../../protocol/unknown-record.ts'

const entryOf = (entry: UnknownRecord) => redactHarEntry(entry, redactor).value
const request = (members: UnknownRecord) => entryOf({ request: members })['request']
const content = (members: UnknownRecord) =>
  (entryOf({ response: { content: members } })['response'] as { readonly content: UnknownRecord })
    .content

const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')
const fromBase64 = (text: unknown): string => Buffer.from(String(text), 'base64').toString()

test('an entry without personal data is unchanged', () => {
  const entry = {
    pageref: 'page_1',
    startedDateTime: '2026-11-20T12:00:00.000Z',
    time: 12.5,
    request: {
      method: 'GET',
      url: 'https://partner.example/v2/orders/0b6f1f3e-5a51-4c3b-9d51-cc4ba8b0e0a1?page=2',
      httpVersion: 'h3',
      headers: [
        { name: 'Accept', value: '*/*' },
        { name: ':authority', value: 'partner.example' },
      ],
      queryString: [{ name: 'page', value: '2' }],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      content: { size: 9, mimeType: 'application/json', text: '{"id": 1}', compression: 0 },
      redirectURL: '',
      _transferSize: 300,
    },
    cache: {},
    timings: { send: 1, wait: 10, receive: 1.5, ssl: -1 },
    serverIPAddress: '127.0.0.1',
    connection: '443',
    _priority: 'High',
    settingEncodeUrl: true,
    _initiator: {
      type: 'script',
      stack: { callFrames: [{ url: 'https://x.example/a.js', lineNumber: 3 }] },
    },
  }
  expect(redactHarEntry(entry, redactor)).toEqual({ value: entry, red: [] })
  expect(JSON.stringify(entryOf(entry))).toBe(JSON.stringify(entry))
})

test('a value has one pseudonym in the URL, its parameters and the form, percent-encoded or not', () => {
  const { url, queryString, postData } = request({
    method: 'POST',
    url: 'https://h.example/x?email=ana%40provedor.com.br&name=Ana',
    queryString: [
      { name: 'email', value: 'ana%40provedor.com.br' },
      { name: 'email', value: 'ana@provedor.com.br' },
      { name: 'name', value: 'Ana' },
    ],
    postData: {
      mimeType: 'application/x-www-form-urlencoded',
      params: [{ name: 'email', value: 'ana@provedor.com.br' }],
    },
  }) as { url: string; queryString: { value: string }[]; postData: { params: { value: string }[] } }
  const stand = /email=(u[a-z]{8}%40example\.com)&name=Pessoa/.exec(url)?.[1] ?? ''
  expect(queryString.map(({ value }) => value)).toEqual([
    stand,
    decodeURIComponent(stand),
    expect.stringMatching(/^Pessoa [a-z]{6}$/),
  ])
  expect(postData.params[0]?.value).toBe(decodeURIComponent(stand))
})

test('cookies keep their names, values that are no strings keep their type', () => {
  expect(
    request({
      cookies: [
        { name: 'sid', value: 's-1', path: '/', httpOnly: true, expires: null, comment: 'of Ana' },
      ],
      headers: [
        { name: 'X-Numbers', value: 3 },
        { name: 'Authorization', value: 'Bearer abc' },
      ],
    }),
  ).toEqual({
    cookies: [
      {
        name: 'sid',
        value: expect.stringMatching(/^~tok_[a-z]{10}$/),
        path: '/',
        httpOnly: true,
        expires: null,
        comment: '~txt(6)',
      },
    ],
    headers: [
      { name: 'X-Numbers', value: 3 },
      { name: 'Authorization', value: expect.stringMatching(/^Bearer ~tok_[a-z]{10}$/) },
    ],
  })
})

test('a base64 body is decoded, redacted and encoded again; plain text declared as base64 stays plain', () => {
  const body = '{"customer":{"name":"Ana Souza"},"id":"o-1"}'
  const coded = content({ mimeType: 'application/json', encoding: 'base64', text: base64(body) })
  expect(fromBase64(coded['text'])).toMatch(
    /^\{"customer":\{"name":"Pessoa [a-z]{6}"\},"id":"o-1"\}$/,
  )
  const plain = content({ mimeType: 'application/json', encoding: 'base64', text: body })
  expect(plain['text']).toBe(fromBase64(coded['text']))
})

test('an undecodable body is blanked; a compressed one is redacted', () => {
  const picture = content({
    encoding: 'base64',
    text: base64(Uint8Array.of(137, 80, 78, 71, 0, 1)),
  })
  expect(fromBase64(picture['text'])).toMatch(/^~bin\(\d+\)$/)
  expect(content(picture)).toEqual(picture)
  const zipped = {
    response: {
      headers: [{ name: 'Content-Encoding', value: 'gzip' }],
      content: { encoding: 'base64', text: base64(gzipSync('{"email":"ana@provedor.com.br"}')) },
    },
  }
  const { value } = redactHarEntry(zipped, redactor, (coding, bytes) =>
    coding === 'gzip' ? gunzipSync(bytes) : undefined,
  )
  const { text } = (value['response'] as { readonly content: UnknownRecord }).content
  expect(fromBase64(text)).toMatch(/^\{"email":"u[a-z]{8}@example\.com"\}$/)
})

test('a multipart form without a boundary in its type is redacted', () => {
  const text =
    '--x9\r\nContent-Disposition: form-data; name="email"\r\n\r\nana@provedor.com.br\r\n--x9--\r\n'
  const { postData } = request({
    url: 'https://h',
    postData: { mimeType: 'multipart/form-data', text },
  }) as { postData: UnknownRecord }
  expect(postData['text']).toMatch(/name="email"\r\n\r\nu[a-z]{8}@example\.com\r\n--x9--/)
})

test('a line of our own keeps its ids and times', () => {
  const entry = {
    _rec: {
      v: 1,
      type: 'http',
      id: 'ID',
      seq: 3,
      corr: { order: '52998224725' },
      params: { email: 'ana@provedor.com.br' },
      err: { phase: 'wait', code: 'X', message: 'reset by ana@provedor.com.br' },
    },
    request: { url: 'http://h/' },
  }
  expect(entryOf(entry)['_rec']).toEqual({
    ...entry._rec,
    params: { email: expect.stringMatching(/^u[a-z]{8}@example/) },
    err: {
      phase: 'wait',
      code: 'X',
      message: expect.stringMatching(/^reset by u[a-z]{8}@example/),
    },
  })
})

test("the log's pages and creator are redacted", () => {
  const { value } = redactHarLog(
    {
      version: '1.2',
      creator: { name: 'tool', version: '3', comment: 'on the machine of Ana' },
      pages: [
        {
          id: 'p',
          startedDateTime: '2026-11-20T12:00:00Z',
          title: 'https://h/?token=abc',
          pageTimings: {},
        },
      ],
    },
    redactor,
  )
  expect(value).toEqual({
    version: '1.2',
    creator: { name: 'tool', version: '3', comment: '~txt(21)' },
    pages: [
      {
        id: 'p',
        startedDateTime: '2026-11-20T12:00:00Z',
        title: expect.stringMatching(/\?token=~tok_[a-z]{10}$/),
        pageTimings: {},
      },
    ],
  })
})

test('redacting an entry twice changes nothing, wherever the canaries are', () => {
  for (const kind of canaryKinds)
    for (const encoding of Object.keys(canaryEncodings)) {
      const { entry } = archiveEntryWithCanaries(kind, encoding).value
      const once = entryOf(entry)
      expect(redactHarEntry(once, redactor)).toEqual({ value: once, red: [] })
    }
})

test('any document in place of an entry is redacted without a crash, with types and members kept', () => {
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(shape)
        : typeof value
  const names =
    'request response url headers cookies queryString postData params content text encoding name value comment _rec wire op corr timings pageref startedDateTime mimeType method path'
  const key = fc.constantFrom(...names.split(' '))
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('base64', 'ana@provedor.com.br', 'e30=', '%41', '{"a":1}', 3, null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  // Documents of the form of an entry, with arbitrary values where the format has a word.
  const some = (words: string, members: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
    fc.record(
      { ...Object.fromEntries(words.split(' ').map((word) => [word, anything])), ...members },
      { requiredKeys: [] },
    )
  const pairs = fc.array(some('name value path comment other'), { maxLength: 3 })
  const lists = { headers: pairs, cookies: pairs, queryString: pairs }
  const body = some('mimeType encoding text size params', { params: fc.oneof(pairs, anything) })
  const message = some('method url status', { ...lists, postData: body, content: body })
  const ours = some('id op wire cause corr')
  const sides = { request: message, response: message, _rec: ours }
  const inForm = some('startedDateTime pageref timings time', sides)
  fc.assert(
    fc.property(fc.oneof(inForm, fc.dictionary(key, anything, { maxKeys: 5 })), (entry) => {
      const once = entryOf(entry)
      expect(shape(once)).toEqual(shape(entry))
      expect(JSON.stringify(once)).not.toContain('ana@')
    }),
    { numRuns: 500 },
  )
})
