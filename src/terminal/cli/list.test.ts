// @module-tag slow
/**
 * The verb list: the catalogues as tables and as JSON, and the text of the protocol's clauses. No session is needed.
 */
import { expect, test } from 'vitest'
import { problemIn, runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { keepingStream } from '../../replay/cli/minimise/proof.ts'

async function runVerb(...argv: readonly string[]) {
  const { io, written } = createTestIo()
  const code = await runVerbs(argv, io)
  return { code, ...written() }
}

const problemOf = (...argv: readonly string[]): Promise<string> => problemIn(runVerb(...argv))

test('list prints every catalogue, each member with its clauses', async () => {
  for (const [what, row] of [
    [
      'operations',
      /^confirmOrder +ordering-application +POST \/orders\/\{orderId\}\/confirm +ORD-/m,
    ],
    ['events', /^CONFIRMED +orders +CONFIRMED +ORD-EVT-02$/m],
    ['faults', /^drop +E5 +/m],
    ['invariants', /^SE-1 +safety +[A-Z]{3}-/m],
    ['clauses', /^ORD-EVT-02 {2}\S.*\.\n {2}source: .*\n(?: {2}.*\n)+ {2}events: +CONFIRMED$/m],
  ] as const) {
    const { code, stdout } = await runVerb('list', what)
    expect([what, code]).toEqual([what, 0])
    expect(stdout).toMatch(row)
  }
  const invariants = JSON.parse((await runVerb('list', 'invariants', '--json')).stdout) as {
    clauses: string[]
  }[]
  expect(invariants.length).toBeGreaterThan(0)
  expect((await runVerb('list', 'faults', 'dupl')).stdout).toMatch(/^duplicate/m)
  expect(await problemOf('list', 'faults', 'duplicat3')).toBe(
    'listing faults: no name contains "duplicat3". Did you mean duplicate?',
  )
  const unknown = await runVerb('list', 'fault')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toMatch(
    /(?:Allowed choices are|one of) operations, events, faults.*Did you mean faults\?/,
  )
  const profiles = await runVerb('list', 'profiles')
  expect(profiles.code).toBe(0)
})

test('[ORD-EVR-03] list clauses prints sentence, document and chapter, whom it binds and what names it', async () => {
  const { stdout } = await runVerb('list', 'clauses', 'ord-evr-03')
  expect(stdout.split('\n')).toEqual([
    'ORD-EVR-03  Events are deduplicated by eventId.',
    '  source:      document 2, Orders Capability and Indoor Extension: Events > Orders events',
    '  binds:       Software Service',
    '  kind:        rule',
    expect.stringMatching(/^ {2}rules: +SE-1, /),
    expect.stringMatching(/^ {2}scenarios: .*An event comes twice/),
    '',
  ])
  // A group has all its clauses, and only those.
  const group = (await runVerb('list', 'clauses', 'ORD-EVR')).stdout
  const numbers = Array.from(group.matchAll(/^ORD-EVR-(\d\d)/gm), ([, number]) => Number(number))
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(group.match(/^\S/gm)).toHaveLength(8)
  // Else what is asked for may stand anywhere, such as in the sentence.
  expect((await runVerb('list', 'clauses', 'deduplicated by eventId')).stdout).toMatch(
    /^ORD-EVR-03 /m,
  )
  const rows = JSON.parse((await runVerb('list', 'clauses', '--json')).stdout) as {
    id: string
    namedBy: { rules: string[] }
  }[]
  expect(rows.length).toBe(539)
  const ids = rows.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
  const namedByRule = rows
    .filter(({ namedBy }) => namedBy.rules.includes('SE-1'))
    .map(({ id }) => id)
  expect(namedByRule).toEqual(['ORD-EVR-03', 'ORD-EVR-06', 'TRN-HDR-04'])
  expect(await problemOf('list', 'clauses', 'ORD-EVR-30')).toBe(
    'listing clauses: no name contains "ORD-EVR-30". Did you mean ORD-EVR-03?',
  )
  expect(await problemOf('list', 'clauses', 'ORD-EVR-99')).toMatch(
    /Did you mean ORD-EVR-01 or ORD-EVR-02 or ORD-EVR-03\?$/,
  )
})

test('list clauses --judged names each rule of a clause once, whatever number of roles it binds', async () => {
  const { stdout } = await runVerb('list', 'clauses', '--judged', '--json')
  const rows = JSON.parse(stdout) as readonly { id: string; rules: string[] }[]
  expect(rows.find(({ id }) => id === 'LOG-FLD-02')?.rules).toEqual(['SE-9', 'LOG-FLD-02'])
})

test('list clauses wraps at the width of a terminal, and keeps lines whole in a pipe', async () => {
  const { stream, text } = keepingStream()
  const { io } = createTestIo({ stdout: Object.assign(stream, { isTTY: true }), columns: 60 })
  await runVerbs(['list', 'clauses', 'ORD-EVR-06'], io)
  expect(text().split('\n').slice(0, 4)).toEqual([
    'ORD-EVR-06  On a lost event the Software Service reconciles',
    '            with GET (and lastEvent) without re-applying',
    '            side effects.',
    '  source:      document 2, Orders Capability and Indoor',
  ])
  expect(
    text()
      .split('\n')
      .filter((line) => line.length > 60),
  ).toEqual([])
  const piped = await runVerb('list', 'clauses', 'ORD-EVR-06')
  expect(piped.stdout).toMatch(/^ORD-EVR-06 .* without re-applying side effects\.$/m)
})
