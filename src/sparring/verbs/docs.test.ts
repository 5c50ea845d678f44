// @module-tag slow
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problemIn, runInProcess, runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { keepingStream } from '../../replay/cli/minimise/proof.ts'
import { docLines } from './support/doc-text.ts'

const docs = (...words: readonly string[]) => runInProcess(['docs', ...words])
const page = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8')

interface Screen {
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

/** What a person reads, whose terminal has 80 columns. */
async function onTerminal(words: readonly string[], { rows = 24, env = {} }: Screen = {}) {
  const { stream, text } = keepingStream()
  const stdout = Object.assign(stream, { isTTY: true })
  const io = { stdout, isTTY: true, rows, env: { PATH: process.env['PATH'], ...env } }
  const code = await runVerbs(['docs', ...words], createTestIo(io).io)
  return { code, text: text() }
}

test('without a topic the index is shown, which fits a screen of 80 by 24', async () => {
  const { code, text } = await onTerminal([])
  expect(code).toBe(0)
  expect(text).toContain('Documentation\n\nnpx sparring docs'.replace('npx', '`npx'))
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(text).not.toContain('](')
})

test('a page is found by its name, by the verb that it is of, and by the last part of its name', async () => {
  for (const [words, name] of [
    [['webhook'], 'webhook'],
    [['Webhook.md'], 'webhook'],
    [['docs/webhook.md'], 'webhook'],
    [['certify'], 'certify'],
    [['conduct'], 'configuration/conduct'],
    [['reproduce-partner-bug'], 'skills/reproduce-partner-bug/SKILL'],
    [['skills/reproduce-partner-bug'], 'skills/reproduce-partner-bug/SKILL'],
  ] as const) {
    const { code, stdout } = await docs(...words)
    expect({ words, code, stdout }).toEqual({ words, code: 0, stdout: page(name) })
  }
})

test('the page of a verb is its help, with that of the verbs below it', async () => {
  const help = await runInProcess(['up', '--help'])
  expect((await docs('up')).stdout).toBe(
    `# sparring up\n\n\`\`\`text\n${help.stdout.trimEnd()}\n\`\`\`\n`,
  )
  expect((await docs('cli', 'certify')).stdout).toMatch(
    /^# sparring certify\n[^]*^## sparring certify verify$/m,
  )
  expect((await docs('fsync')).stdout).toMatch(/^cli\/up +sparring up: --fsync <when>/m)
})

test('[ORD-EVR-03] a clause, a rule and a fault are explained, with the pages that speak of them', async () => {
  const clause = await docs('ord-evr-03')
  expect(clause.stdout).toMatch(
    /^Clause\nORD-EVR-03 {2}Events are deduplicated by eventId\.\n {2}source: /,
  )
  expect(clause.stdout).toMatch(/^ {2}rules: +SE-1/m)
  expect(clause.stdout).toMatch(/\n\nIn the pages:\n/)
  const rule = await docs('SE-1')
  expect(rule.stdout).toMatch(/^Rule\nSE-1 {2}.*second delivery.*\n {4}fix: Keep the ids /)
  expect(rule.stdout).toMatch(/^ {4}ORD-EVR-03 {2}/m)
  const fault = await docs('duplicate-late')
  expect(fault.stdout).toMatch(/^Fault\nduplicate-late\n {2}code: E/)
  expect(fault.stdout).toMatch(/^ {4}when: after it was acknowledged/m)
  expect(fault.stdout).toMatch(/^failures +\S/m)
  const profile = await docs('peak-hour')
  expect(profile.stdout).toMatch(/^Fault profile\npeak-hour\n/)
  expect((await docs('dedupes-in-memory')).stdout).toMatch(/^Defect of the demo\n/)
  expect((await docs('an-event-comes-twice')).stdout).toMatch(/^Scenario\n/)
})

test('words are searched for: sections with all of them, headings and explanations first', async () => {
  const { code, stdout } = await docs('forms', 'signature')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^webhook +Forms of the signature: /)
  const many = await docs('order')
  const lines = many.stdout.trimEnd().split('\n')
  expect(lines.at(-1)).toMatch(/^and \d+ more: add a word$/)
  expect(lines.length).toBeLessThan(24)
  expect(many.stdout).not.toMatch(/\]\(|\*\*/)
})

test('what is not there is refused, with names that are near', async () => {
  expect(await problemIn(onTerminal(['webhok']))).toBe(
    'reading the documentation about "webhok": no page, clause, rule or fault has this name, and no page has these words. Did you mean webhook? See sparring docs for what there is.',
  )
  expect(await problemIn(onTerminal(['ORD-EVR-30']))).toMatch(/Did you mean ORD-EVR-0\d or /)
  expect(await problemIn(onTerminal(['../../package.json']))).toMatch(
    /^reading the documentation about /,
  )
})

test('--json has the same for programs', async () => {
  const read = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse((await docs(...words, '--json')).stdout)
  expect(await read('webhook')).toEqual({ page: 'webhook', text: page('webhook') })
  expect(await read('SE-1')).toMatchObject({
    entries: [{ kind: 'rule', row: { id: 'SE-1', remedy: expect.any(String) as string } }],
    matches: expect.arrayContaining([
      { page: 'chaos', heading: expect.any(String) as string, line: expect.any(String) as string },
    ]) as unknown,
  })
})

test('on a terminal what is longer than the screen is shown by the pager', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-pager-')), 'read.txt')
  const paged = await onTerminal(['webhook'], { env: { PAGER: `cat > ${file}` } })
  expect(paged).toEqual({ code: 0, text: '' })
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^Webhook\n\n {4}npx sparring up /)
  const printed = await onTerminal(['webhook', '--no-pager'], { env: { PAGER: `cat > ${file}` } })
  expect(printed.text).toBe(text)
  // A pager that is not there, none, and a text that fits.
  for (const PAGER of ['no-such-pager-here', ''])
    expect((await onTerminal(['webhook'], { env: { PAGER } })).text).toBe(text)
  const fits = { rows: 1000, env: { PAGER: 'false' } }
  expect((await onTerminal(['webhook'], fits)).text).toBe(text)
})

test('a pager that is closed early ends nothing else', async () => {
  expect(await onTerminal(['glossary'], { env: { PAGER: 'head -1 > /dev/null' } })).toEqual({
    code: 0,
    text: '',
  })
})

test('Markdown becomes lines: lists hang, code stays, a wide table is shown row by row', () => {
  const markdown = [
    '# Title',
    '',
    '<!-- not run: because -->',
    '',
    'One **bold** _word_, a [link](a.md) and `code`',
    'that goes on.',
    '',
    '- first, which is longer than the line',
    '  and goes on',
    '- second',
    '',
    '1. number',
    '',
    '```sh',
    '# no heading',
    '',
    'npx sparring up --with-a-line-that-is-longer-than-the-width',
    '```',
    '',
    '| a | b |',
    '|---|---|',
    String.raw`| one | two \| three |`,
    '',
    '| name | values | what it does and why |',
    '| --- | --- | --- |',
    '| `conduct.bodies` | lenient, strict | how strict bodies are |',
  ].join('\n')
  expect(docLines(markdown, { width: 30, color: false }).join('\n')).toMatchInlineSnapshot(`
    "Title

    One bold word, a link and
    \`code\` that goes on.

    - first, which is longer than
      the line and goes on
    - second
    1. number

        # no heading

        npx sparring up --with-a-line-that-is-longer-than-the-width

    a    b
    one  two | three

    \`conduct.bodies\`
        values: lenient, strict
        what it does and why: how strict bodies
                              are"
  `)
})
