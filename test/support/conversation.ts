/**
 * Tests of hosts as texts: a heading `# title` begins a test, each row below it is one step, and `=>` says what must come.
 *
 *     # [IND-TRA-02] pre-close locks the account, refused as <code> when it is closed
 *     account <status> as a
 *     POST /accounts/pre-close?accountId=$a.accountId {requestedBy: waiter} => 202 {status: ACCEPTED}
 *     events => [ACCOUNT_OPENED, ACCOUNT_PRE_CLOSED]
 *     | status | code
 *     | CLOSED | INVALID_ACCOUNT_STATE
 *
 * Values are YAML in flow style; `$a.accountId` is part of an earlier answer, which `as` named; a table runs the test once
 * for each row. An answer is expected as status (`400|422`), error code (or `NO_BODY`), words of its message (`~"…"`) and body; a body and
 * the result of a word must match (`TEXT`, `NUMBER`, `ANY`, `/pattern/` stand for values), after `not` must not, after `is` equal.
 * `value $a.b` is such a part, and `text $a` its JSON.
 */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { HostAnswer, HostRequest } from './host-client.ts'

type Values = Readonly<Record<string, unknown>>

/** A step that is no request; its arguments are those of the row, separated by commas. */
export type Word = (...values: never[]) => unknown

/** The two sides of a test: requests to the host, and the words that its rows may use. */
export interface Conversation {
  readonly send: (method: string, path: string, request: HostRequest) => Promise<HostAnswer>
  readonly words: Readonly<Record<string, Word>>
}

/** Opens what a test converses with, by the values of its rows `with {…}`. */
export type OpenConversation<Options> = (
  options: Options,
) => Promise<Conversation & AsyncDisposable>

interface Story {
  readonly title: string
  readonly rows: readonly string[]
}

const depthOf = (text: string): number =>
  text
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/[^[\]{}]/g, '')
    .split('')
    .reduce((depth, each) => depth + ('[{'.includes(each) ? 1 : -1), 0)

/** Joins a row with the lines on which it goes on: inside brackets, or from `=>`. */
function joinedRows(lines: readonly string[]): readonly string[] {
  const rows: string[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    if (last !== undefined && (depthOf(last) > 0 || line.startsWith('=>')))
      rows.splice(-1, 1, `${last} ${line}`)
    else rows.push(line)
  }
  return rows
}

const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1)
    .split(/\s\|(?=\s|$)/)
    .map((cell) => cell.trim())

/** A story for each row of its table. */
function byTable({ title, rows }: Story): readonly Story[] {
  const [names, ...table] = rows.filter((row) => row.startsWith('|')).map(cellsOf)
  const steps = rows.filter((row) => !row.startsWith('|'))
  if (names === undefined) return [{ title, rows: steps }]
  return table.map((cells) => {
    const withCells = (text: string): string =>
      names.reduce((whole, name, index) => whole.replaceAll(`<${name}>`, cells[index] ?? ''), text)
    return { title: withCells(title), rows: steps.map(withCells) }
  })
}

function storiesOf(text: string): readonly Story[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
  const stories: { title: string; lines: string[] }[] = []
  for (const line of lines)
    if (line.startsWith('# ')) stories.push({ title: line.slice(2), lines: [] })
    else stories.at(-1)?.lines.push(line)
  return stories.flatMap(({ title, lines: own }) => byTable({ title, rows: joinedRows(own) }))
}

const part = (values: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values)

const reference = /\$([A-Za-z]\w*(?:\.\w+)*)/g

const filledText = (text: string, known: Values): string =>
  text.replaceAll(reference, (_, path: string) => String(part(known, path)))

/** A value with the parts of earlier answers in place of their names. */
function filled(value: unknown, known: Values): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, known))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [filledText(key, known), filled(each, known)]),
    )
  if (typeof value !== 'string') return value
  const [whole, path] = new RegExp(`^${reference.source}$`).exec(value) ?? []
  return whole === undefined ? filledText(value, known) : part(known, path ?? '')
}

const placeholders: Readonly<Record<string, () => unknown>> = {
  TEXT: () => expect.any(String),
  NUMBER: () => expect.any(Number),
  ANY: () => expect.anything(),
}

/** An expected value with matchers in place of its placeholders. */
function matcher(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(matcher)
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  )
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, matcher(each)]))
  if (typeof value !== 'string') return value
  const pattern = /^\/(.+)\/$/.exec(value)?.[1]
  return pattern === undefined
    ? (placeholders[value]?.() ?? value)
    : expect.stringMatching(new RegExp(pattern))
}

const read = (text: string, known: Values): unknown => filled(parse(text) as unknown, known)

const msPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `1100ms`, `6s`, `2m`, `1h`. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? []
  if (count === undefined) throw new Error(`no duration: ${text}`)
  return Number(count) * (msPerUnit[unit] ?? 0)
}

function compare(got: unknown, expected: string, known: Values): void {
  const [, how, text = ''] = /^(is |not )?([\s\S]*)$/.exec(expected) ?? []
  const value = matcher(read(text, known))
  if (how === 'is ') expect(got).toEqual(value)
  else if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value)
    if (how === 'not ') expect(got).not.toEqual(value)
    else expect(got).toEqual(value)
  else if (how === 'not ') expect(got).not.toMatchObject(value)
  else expect(got).toMatchObject(value)
}

const isStatus = (status: number, expected: string): boolean =>
  expected
    .split('|')
    .some((each) => new RegExp(`^${each.replaceAll('x', '\\d')}$`).test(`${status}`))

const answerForm = /^([\dx|]{3,}) ?(?:([A-Z][A-Z_]{3,})(?= |$))? ?(?:~("[^"]*"|\S+))? ?([\s\S]*)$/

/** Checks status, code, message and body of an answer, as far as they are expected. */
function compareAnswer(answer: HostAnswer, expected: string, known: Values): void {
  const [form, status = '', code, message, body = ''] = answerForm.exec(expected) ?? []
  if (form === undefined) throw new Error(`no answer begins with a status: ${expected}`)
  const { status: got, text } = answer
  if (!isStatus(got, status)) expect.fail(`expected ${status}, got ${got} ${text}`)
  if (code === 'NO_BODY') expect(text).toBe('')
  else if (code !== undefined) expect(answer.code).toBe(code)
  const words = filledText(message ?? '', known).replaceAll('"', '')
  if (words !== '') expect(answer.message ?? text).toContain(words)
  if (body !== '') compare(answer.json, body, known)
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Plays the rows of a test, and names the row that failed; how many were played. */
export async function converse(
  { send, words }: Conversation,
  rows: readonly string[],
): Promise<number> {
  const known: Record<string, unknown> = {}

  async function request(method: string, rest: string): Promise<HostAnswer> {
    const [, path = '', body = '', headers] =
      /^(\S+)([\s\S]*?)(?: with (\{[\s\S]*\}))?$/.exec(rest) ?? []
    const { token, ...others } = (headers === undefined ? {} : read(headers, known)) as Record<
      string,
      string
    >
    return send(method, filledText(path, known), {
      ...(body.trim() === '' ? {} : { body: read(body, known) }),
      ...(token === undefined ? {} : { token }),
      headers: others,
    })
  }

  async function result(step: string): Promise<unknown> {
    const [, name = '', rest = ''] = /^(\S+) ?([\s\S]*)$/.exec(step) ?? []
    if (methods.includes(name)) return request(name, rest)
    const values = read(`[${rest}]`, known) as never[]
    if (name === 'value') return values[0]
    if (name === 'text') return JSON.stringify(values[0])
    const word = words[name]
    if (!word) throw new Error(`no word "${name}"; there are: ${Object.keys(words).join(', ')}`)
    return word(...values)
  }

  async function play(row: string): Promise<void> {
    const [, step = '', expected, name] =
      /^([\s\S]*?)(?:\s+=>\s*([\s\S]*?))?(?: as ([a-z]\w*))?$/.exec(row) ?? []
    const got = await result(step)
    const isRequest = methods.includes(step.split(' ')[0] ?? '')
    if (isRequest) compareAnswer(got as HostAnswer, expected ?? '2xx', known)
    else if (expected !== undefined) compare(got, expected, known)
    if (name !== undefined) known[name] = isRequest ? (got as HostAnswer).json : got
  }

  for (const [index, row] of rows.entries())
    try {
      await play(row)
    } catch (error) {
      if (error instanceof Error) error.message = `row ${index + 1}, ${row}\n${error.message}`
      throw error
    }
  return rows.length
}

/** Makes the tests of texts whose conversations are opened so. */
export const conversationTests =
  <Options extends object>(open: OpenConversation<Options>) =>
  (text: string, options?: Options): void => {
    test.each(storiesOf(text).map(({ title, rows }) => [title, rows] as const))(
      '%s',
      async (_, rows) => {
        const settings = rows
          .filter((row) => row.startsWith('with '))
          .map((row) => parse(row.slice(5)) as Options)
        await using conversation = await open(Object.assign({}, options, ...settings) as Options)
        const steps = rows.filter((row) => !row.startsWith('with '))
        expect(await converse(conversation, steps)).toBe(steps.length)
      },
    )
  }
